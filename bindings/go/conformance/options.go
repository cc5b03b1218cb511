package main

import (
	"strconv"
	"strings"
)

// A parser reads a command line as getopt_long does: flags anywhere, `--` ends them, long names may
// be shortened.
type parser struct {
	verb string
	// The flags; those that take a value end with "=".
	flags []string
	words []string
	rest  []string
	// The letters of the present word that are left.
	letters string
}

// next is the next flag, such as "-x" or "--long", with its value; "" at the end.
func (p *parser) next() (flag, value string) {
	for p.letters == "" {
		if len(p.words) == 0 {
			return "", ""
		}
		word := p.words[0]
		p.words = p.words[1:]
		switch {
		case word == "--":
			p.rest = append(p.rest, p.words...)
			p.words = nil
		case strings.HasPrefix(word, "--"):
			return p.long(word)
		case len(word) > 1 && word[0] == '-':
			p.letters = word[1:]
		default:
			p.rest = append(p.rest, word)
		}
	}
	flag = "-" + p.letters[:1]
	p.letters = p.letters[1:]
	if p.has(flag + "=") {
		if p.letters == "" {
			return flag, p.value(flag)
		}
		value, p.letters = p.letters, ""
		return flag, strings.TrimPrefix(value, "=")
	}
	if !p.has(flag) {
		refuse("no %s %s in Go", p.verb, flag)
	}
	return flag, ""
}

func (p *parser) long(word string) (flag, value string) {
	name, value, hasValue := strings.Cut(word, "=")
	switch {
	case p.has(name + "="):
		if !hasValue {
			value = p.value(name)
		}
	case !p.has(name) || hasValue:
		refuse("no %s %s in Go", p.verb, name)
	}
	return name, value
}

func (p *parser) value(flag string) string {
	if len(p.words) == 0 {
		refuse("%s without a value", flag)
	}
	value := p.words[0]
	p.words = p.words[1:]
	return value
}

func (p *parser) has(flag string) bool {
	for _, known := range p.flags {
		if known == flag {
			return true
		}
	}
	return false
}

// number is the value of a flag.
func number(value, flag string) int {
	count, err := strconv.ParseInt(value, 10, 64)
	if err != nil || count < 0 {
		wrongUsage("'%s' is no number for %s", value, flag)
	}
	return int(count)
}
