package column

import "unicode/utf8"

const upperHex = "0123456789ABCDEF"

func (o *TextOptions) appendString(buf, s []byte) []byte {
	switch o.Style {
	case TextRaw:
		return append(buf, s...)
	case TextTSV:
		return appendEscaped(buf, s)
	case TextQuoted:
		return append(appendEscaped(append(buf, '\''), s), '\'')
	case TextCSV:
		return appendCSV(buf, s)
	}
	return appendJSON(buf, s, o.EscapeSlashes)
}

func appendCSV(buf, s []byte) []byte {
	buf = append(buf, '"')
	for i, from := 0, 0; ; i++ {
		if i == len(s) {
			return append(append(buf, s[from:]...), '"')
		}
		if s[i] == '"' {
			buf = append(append(buf, s[from:i]...), '"')
			from = i
		}
	}
}

// appendEscaped writes backslash escapes as ClickHouse's TabSeparated and its quoted strings have them.
func appendEscaped(buf, s []byte) []byte {
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] != '\\' && s[j] != '\'' && s[j] >= ' ' {
			j++
		}
		buf = append(buf, s[i:j]...)
		if j == len(s) {
			break
		}
		switch c := s[j]; c {
		case '\\':
			buf = append(buf, '\\', '\\')
		case '\'':
			buf = append(buf, '\\', '\'')
		case '\b':
			buf = append(buf, '\\', 'b')
		case '\f':
			buf = append(buf, '\\', 'f')
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\r':
			buf = append(buf, '\\', 'r')
		case '\t':
			buf = append(buf, '\\', 't')
		case 0:
			buf = append(buf, '\\', '0')
		default:
			buf = append(buf, c)
		}
		i = j + 1
	}
	return buf
}

// AppendJSONString writes a JSON string; slashes are escaped, as ClickHouse's default has it, and invalid UTF-8 stays as it is.
func AppendJSONString(buf, s []byte) []byte { return appendJSON(buf, s, true) }

func appendJSON(buf, s []byte, slashes bool) []byte {
	buf = append(buf, '"')
	for i := 0; i < len(s); i++ {
		j := i
		for j < len(s) && s[j] >= ' ' && s[j] != '"' && s[j] != '\\' && s[j] != '/' && s[j] != 0xe2 {
			j++
		}
		if j > i {
			buf = append(buf, s[i:j]...)
			if i = j; i == len(s) {
				break
			}
		}
		switch c := s[i]; c {
		case '/':
			if slashes {
				buf = append(buf, '\\')
			}
			buf = append(buf, '/')
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\b':
			buf = append(buf, '\\', 'b')
		case '\f':
			buf = append(buf, '\\', 'f')
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\r':
			buf = append(buf, '\\', 'r')
		case '\t':
			buf = append(buf, '\\', 't')
		default:
			switch {
			case c < ' ':
				buf = append(buf, '\\', 'u', '0', '0', '0'+c>>4, upperHex[c&15])
			case c == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && s[i+2]|1 == 0xa9: // U+2028 and U+2029 break JavaScript
				buf = append(buf, `\u202`...)
				buf = append(buf, '8'+s[i+2]&1)
				i += utf8.RuneLen(0x2028) - 1
			default:
				buf = append(buf, c)
			}
		}
	}
	return append(buf, '"')
}
