package main

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"fewer.dev/go"
)

// text is {"text":...}, or {"bytes":...} in base 64 for what is not UTF-8.
func text(name string) string {
	if !utf8.ValidString(name) {
		return `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(name)) + `"}`
	}
	var out strings.Builder
	out.WriteString(`{"text":"`)
	for _, character := range name {
		switch {
		case character == '"' || character == '\\':
			fmt.Fprintf(&out, `\%c`, character)
		case character < 0x20 || character == 0x7f:
			fmt.Fprintf(&out, `\u%04x`, character)
		default:
			out.WriteRune(character)
		}
	}
	out.WriteString(`"}`)
	return out.String()
}

func space(taken fewer.Space) string {
	return fmt.Sprintf(`"allocated":%d,"size":%d,"entries":%d`, taken.Allocated, taken.Size,
		taken.Entries)
}

// seconds are those of a time with their fraction: before 1970 both count backwards.
func seconds(time fewer.Time) string {
	whole, fraction, sign := time.Seconds, time.Nanoseconds, ""
	if whole < 0 && fraction > 0 {
		whole, fraction = whole+1, 1_000_000_000-fraction
		if whole == 0 {
			sign = "-"
		}
	}
	return fmt.Sprintf("%s%d.%09d", sign, whole, fraction)
}

// measured is an extreme with its number.
func measured(extreme *fewer.Extreme, unit string) string {
	return fmt.Sprintf(`{"path":%s,"%s":%d}`, text(extreme.Path), unit, extreme.Value)
}

// dated is an extreme with its time.
func dated(extreme *fewer.Extreme) string {
	return fmt.Sprintf(`{"path":%s,"modified":%s}`, text(extreme.Path), seconds(extreme.Time))
}
