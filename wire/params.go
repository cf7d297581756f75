package wire

import (
	"strings"

	"dictsvc/errcode"
)

// Parameters travel as custom settings whose values are quoted string literals.

func encodeParams(w *output, params []Param) {
	for _, p := range params {
		w.str(p.Name)
		w.uvarint(SettingCustom)
		w.str(quoteParam(p.Value))
	}
	w.str("")
}

func decodeParams(r *input, dst []Param, l *Limits) []Param {
	for {
		name := r.str("Name of a parameter", l.MaxString)
		if r.err != nil || name == "" {
			return dst
		}
		if len(dst) >= l.MaxSettings {
			r.fail(errcode.New(errcode.TooLargeArraySize, "Query parameters: want at most %d", l.MaxSettings))
			return dst
		}
		r.uvarint() // flags: always "custom"
		value := r.str("Value of a parameter", l.MaxQuerySize)
		if r.err != nil {
			return dst
		}
		dst = append(dst, Param{Name: name, Value: unquoteParam(value)})
	}
}

func quoteParam(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

// unquoteParam takes the outer quotes off a literal and resolves its escapes. ch-go does not escape at all, so a quote inside stands for itself.
func unquoteParam(s string) string {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' {
		return s
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '0':
			b.WriteByte(0)
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case '\\', '\'':
			b.WriteByte(s[i])
		default: // an escape of the value's own text form stays for its parser
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
