package sql

import "strings"

// stringText is the value of a string token (quoted, heredoc, hexadecimal or binary); ok is false for a bad escape.
func stringText(s string, kind tokenKind) (text string, ok bool) {
	switch kind {
	case tokHeredoc:
		tag := strings.IndexByte(s[1:], '$') + 2
		return s[tag : len(s)-tag], true
	case tokHexString:
		return packDigits(s[2:len(s)-1], 2, 4), true
	case tokBinString:
		return packDigits(s[2:len(s)-1], 8, 1), true
	}
	return unquote(s)
}

// packDigits makes bytes of digits of a number, perByte digits of width bits for each; the first byte may have fewer.
func packDigits(digits string, perByte, width int) string {
	out := make([]byte, 0, len(digits)/perByte+1)
	for len(digits) > 0 {
		n := len(digits) % perByte
		if n == 0 {
			n = perByte
		}
		b := byte(0)
		for _, c := range []byte(digits[:n]) {
			b = b<<width | hexValue(c)
		}
		out = append(out, b)
		digits = digits[n:]
	}
	return string(out)
}

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return lower(c) - 'a' + 10
}

// unquote removes the quotes of a string or quoted name and resolves escapes as ClickHouse does: an unknown
// escape keeps its backslash, \N is nothing.
func unquote(s string) (string, bool) {
	if s[0] == 0xE2 { // ‘text’: three bytes each, and no escapes
		return s[3 : len(s)-3], true
	}
	quote, body := s[0], s[1:len(s)-1]
	if strings.IndexByte(body, '\\') < 0 && strings.IndexByte(body, quote) < 0 {
		return body, true
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == quote { // a doubled quote
			i++
			out = append(out, quote)
			continue
		}
		if c != '\\' {
			out = append(out, c)
			continue
		}
		i++
		if i >= len(body) {
			return "", false
		}
		switch c := body[i]; c {
		case 'x':
			if i+2 >= len(body) {
				return "", false
			}
			out = append(out, looseHex(body[i+1])<<4|looseHex(body[i+2]))
			i += 2
		case 'N':
		default:
			if plain, ok := escapeOf(c); ok {
				out = append(out, plain)
				continue
			}
			if c != '\\' && c != '\'' && c != '"' && c != '`' && c != '/' && c != '=' {
				out = append(out, '\\')
			}
			out = append(out, c)
		}
	}
	return string(out), true
}

// escapeOf is the control character that a letter after a backslash stands for.
func escapeOf(c byte) (byte, bool) {
	switch c {
	case 'a':
		return '\a', true
	case 'b':
		return '\b', true
	case 'e':
		return 0x1b, true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'v':
		return '\v', true
	case '0':
		return 0, true
	}
	return 0, false
}

// looseHex is the value of a hexadecimal digit, all ones for any other byte.
func looseHex(c byte) byte {
	if isHexDigit(c) {
		return hexValue(c)
	}
	return 0xff
}
