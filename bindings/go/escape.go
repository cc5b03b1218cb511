package fewer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escaped is a path as messages of the library show it: nothing in it can control a terminal or
// turn the direction of the text around.
func escaped(path string) string {
	var out strings.Builder
	for i := 0; i < len(path); {
		character, size := utf8.DecodeRuneInString(path[i:])
		switch {
		case character == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, path[i])
		case character == '\n':
			out.WriteString(`\n`)
		case character == '\t':
			out.WriteString(`\t`)
		case character == '\r':
			out.WriteString(`\r`)
		case character < 0x80 && unicode.IsControl(character):
			fmt.Fprintf(&out, `\x%02x`, character)
		case controlsTerminal(character):
			fmt.Fprintf(&out, `\u{%x}`, character)
		default:
			out.WriteString(path[i : i+size])
		}
		i += size
	}
	return out.String()
}

func controlsTerminal(character rune) bool {
	switch {
	case unicode.IsControl(character):
		return true
	case character == 0x61c, character == 0x200e, character == 0x200f:
		return true
	}
	return 0x2028 <= character && character <= 0x202e || 0x2066 <= character && character <= 0x2069
}
