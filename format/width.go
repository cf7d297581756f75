package format

import (
	"unicode"
	"unicode/utf8"
)

// runeWidth is the number of terminal cells of a character: 0 for combining and control characters, 2 for East Asian wide ones. As in
// ClickHouse, pictographs count one.
func runeWidth(r rune) int {
	switch {
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115f, r == 0x2329, r == 0x232a, r >= 0x2e80 && r <= 0xa4cf && r != 0x303f, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff, r >= 0xfe10 && r <= 0xfe19,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x20000 && r <= 0x2fffd, r >= 0x30000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// width is the number of cells of a text that begins at column prefix, which decides how far a tab reaches.
func width(s []byte, prefix int) int {
	n := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\t':
			n += 8 - (prefix+n)%8
			i++
		case c == 0x1b && i+1 < len(s) && s[i+1] == '[': // a terminal's escape sequence takes no room
			for i += 2; i < len(s) && (s[i] < '@' || s[i] > '~'); i++ {
			}
			i++
		case c < utf8.RuneSelf:
			if c >= ' ' && c != 0x7f {
				n++
			}
			i++
		default:
			r, size := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && size == 1 {
				n++
			} else {
				n += runeWidth(r)
			}
			i += size
		}
	}
	return n
}

// head is the number of bytes at the head of s that fit into so many cells.
func head(s []byte, cells int) int {
	n := 0
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRune(s[i:])
		w := width(s[i:i+size], n)
		if n+w > cells {
			return i
		}
		n += w
		i += size
	}
	return len(s)
}

// tail is the number of bytes to leave out at the head so that the rest of s fits into so many cells.
func tail(s []byte, cells int) int {
	n := 0
	for i := len(s); i > 0; {
		_, size := utf8.DecodeLastRune(s[:i])
		w := width(s[i-size:i], 0)
		if n+w > cells {
			return i
		}
		n += w
		i -= size
	}
	return 0
}
