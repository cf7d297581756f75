package query

import (
	_ "embed"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"dictsvc/errcode"
)

// settingsList is ClickHouse 26.7's settings, one a line: name, type, default and, for an alias, the setting it stands for. Most of them change nothing
// here; they are known so that clients may set and read them.
//
//go:embed settings.tsv
var settingsList string

// settingInfo is a line of the list.
type settingInfo struct {
	Name, Type, Default, AliasFor string
}

// knownSettings are the settings by name, built at the first use and never changed.
var knownSettings = sync.OnceValue(func() map[string]*settingInfo {
	known := make(map[string]*settingInfo, 2000)
	for line := range strings.Lines(settingsList) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		s := &settingInfo{Name: f[0], Type: f[1], Default: unescapeTSV(f[2])}
		if len(f) > 3 {
			s.AliasFor = f[3]
		}
		known[s.Name] = s
	}
	return known
})

func unescapeTSV(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n").Replace(s)
}

// settingNames lists all settings in order.
func settingNames() []string {
	known := knownSettings()
	names := make([]string, 0, len(known))
	for n := range known {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// settings are values that were set, in front of those of a wider scope: the server's, the session's, the query's. It is used by one
// query at a time, except for the server's, which do not change.
type settings struct {
	up  *settings
	set map[string]string
}

func newSettings(values map[string]string) (*settings, error) {
	s := &settings{}
	for name, v := range values {
		if err := s.change(name, v); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// scope makes an inner scope.
func (s *settings) scope() *settings { return &settings{up: s} }

// lookup finds a changed value.
func (s *settings) lookup(name string) (string, bool) {
	for ; s != nil; s = s.up {
		if v, ok := s.set[name]; ok {
			return v, true
		}
	}
	return "", false
}

// get is a setting's value, "" where there is no such setting.
func (s *settings) get(name string) string {
	if v, ok := s.lookup(name); ok {
		return v
	}
	if info := knownSettings()[name]; info != nil {
		if info.AliasFor != "" {
			return s.get(info.AliasFor)
		}
		return info.Default
	}
	return ""
}

// flag is a Bool setting. def is ClickHouse's default, which spares the search in the list.
func (s *settings) flag(name string, def bool) bool {
	v, ok := s.lookup(name)
	if !ok {
		return def
	}
	return v == "1" || v == "true"
}

// number is a numeric setting with ClickHouse's default.
func (s *settings) number(name string, def uint64) uint64 {
	v, ok := s.lookup(name)
	if !ok {
		return def
	}
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return def
	}
	return n
}

// text is a text setting with ClickHouse's default.
func (s *settings) text(name, def string) string {
	if v, ok := s.lookup(name); ok {
		return v
	}
	return def
}

// find is a setting's line in the list, that of the setting an alias stands for.
func findSetting(name string) *settingInfo {
	info := knownSettings()[name]
	if info != nil && info.AliasFor != "" {
		if main := knownSettings()[info.AliasFor]; main != nil {
			return main
		}
	}
	return info
}

// settingType is a setting's type, "" where there is no such setting.
func settingType(name string) string {
	if info := findSetting(name); info != nil {
		return info.Type
	}
	return ""
}

// change sets a value after checking it. Error 115 where there is no such setting.
func (s *settings) change(name, value string) error {
	info := findSetting(name)
	if info == nil {
		if strings.HasPrefix(name, "SQL_") { // custom settings have a prefix that the server names; this is ClickHouse's own
			return s.put(name, value)
		}
		return unknownSetting(name)
	}
	value, err := info.check(value)
	if err != nil {
		return err
	}
	return s.put(info.Name, value)
}

// unknownSetting is ClickHouse's error 115 with the names that are most like the unknown one.
func unknownSetting(name string) error {
	hint := ""
	if hints := similar(name, settingNames(), 2); len(hints) > 0 {
		hint = ": Maybe you meant ['" + strings.Join(hints, "','") + "']"
	}
	return errcode.New(errcode.UnknownSetting, "Unknown setting '%s'%s", name, hint)
}

func (s *settings) put(name, value string) error {
	if s.set == nil {
		s.set = map[string]string{}
	}
	s.set[name] = value
	return nil
}

// reset takes a setting back to its default.
func (s *settings) reset(name string) error {
	info := findSetting(name)
	if info == nil {
		return unknownSetting(name)
	}
	delete(s.set, info.Name)
	if _, ok := s.up.lookup(info.Name); ok {
		return s.put(info.Name, info.Default)
	}
	return nil
}

// check reads a value of the setting's type and returns it as ClickHouse prints it.
func (i *settingInfo) check(v string) (string, error) {
	switch i.Type {
	case "Bool":
		switch strings.ToLower(v) {
		case "1", "true":
			return "1", nil
		case "0", "false":
			return "0", nil
		}
		if n, err := strconv.ParseUint(v, 10, 64); err == nil {
			if n == 0 {
				return "0", nil
			}
			return "1", nil
		}
		return "", errcode.New(errcode.CannotParseBool, "Cannot parse bool from string '%s'", v)
	case "UInt64", "NonZeroUInt64", "MaxThreads", "UInt64Auto", "Milliseconds":
		if (i.Type == "MaxThreads" || i.Type == "UInt64Auto") && (v == "auto" || strings.HasPrefix(v, "auto(")) {
			return "auto", nil
		}
		return i.checkUnsigned(v)
	case "Int64", "Int32":
		if _, err := strconv.ParseInt(v, 10, 64); err != nil {
			return "", cannotParseSetting(v)
		}
	case "Float", "Double":
		if _, err := strconv.ParseFloat(v, 64); err != nil {
			return "", cannotParseSetting(v)
		}
	case "Char":
		if len(v) > 1 {
			return "", errcode.New(errcode.BadArguments, "A setting's value string has to be an exactly one character long")
		}
	case "Seconds":
		return checkSeconds(v)
	case "JoinAlgorithm":
		for _, one := range strings.Split(v, ",") {
			if one = strings.TrimSpace(one); one == "" {
				continue
			}
			if err := i.oneOf(one, 418, "full_sorting_merge", "grace_hash", "parallel_hash", "direct", "prefer_partial_merge", "hash", "partial_merge", "auto", "default"); err != nil {
				return "", err
			}
		}
	case "TotalsMode":
		return v, i.oneOf(v, 213, "after_having_auto", "after_having_exclusive", "after_having_inclusive", "before_having")
	case "SetOperationMode":
		return v, i.oneOf(v, 557, "DISTINCT", "ALL", "")
	case "OverflowMode":
		return v, i.oneOf(v, 145, "break", "throw")
	case "OverflowModeGroupBy":
		return v, i.oneOf(v, 145, "any", "break", "throw")
	case "ShortCircuitFunctionEvaluation":
		return v, i.oneOf(v, errcode.BadArguments, "disable", "force_enable", "enable")
	}
	return v, nil
}

func (i *settingInfo) checkUnsigned(v string) (string, error) {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(v, 64)
		switch {
		case ferr != nil || f-f != 0:
			return "", cannotParseSetting(v)
		case f < 0 || f > 1<<63:
			return "", errcode.New(errcode.CannotConvertType, "Value %s of the setting '%s' is not in the range of UInt64", v, i.Name)
		}
		n = uint64(f)
	}
	if i.Type == "NonZeroUInt64" && n == 0 {
		return "", errcode.New(errcode.BadArguments, "Value of the setting '%s' cannot be zero", i.Name)
	}
	if i.Type == "MaxThreads" && n == 0 {
		return "auto", nil
	}
	return strconv.FormatUint(n, 10), nil
}

func cannotParseSetting(v string) error {
	return errcode.New(errcode.CannotParseInputAssertionFailed, "Cannot parse input: expected 'eof' before: '%s'", v)
}

// oneOf is the error with the given code where v is none of the values.
func (i *settingInfo) oneOf(v string, code errcode.Code, values ...string) error {
	if slices.Contains(values, v) {
		return nil
	}
	return errcode.New(code, "Unexpected value of %s: '%s'. Must be one of ['%s']", i.Type, v, strings.Join(values, "', '"))
}

// checkSeconds reads a number of seconds, which may have a fraction down to microseconds and be negative.
func checkSeconds(v string) (string, error) {
	f, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil && errors.Is(err, strconv.ErrRange):
		return "", tooManySeconds(f)
	case err != nil:
		if v != "" && (v[0] >= '0' && v[0] <= '9') {
			return "", cannotParseSetting(v)
		}
		return "", errcode.New(errcode.CannotParseNumber, "Cannot read floating point value here: %s", v)
	case f-f != 0:
		return "", errcode.New(errcode.CannotParseNumber, "Float setting value must be finite, got %s", strings.ToLower(v))
	case math.Abs(f) > math.MaxInt64/1e6:
		return "", tooManySeconds(f)
	}
	return strconv.FormatFloat(math.Trunc(f*1e6)/1e6, 'f', -1, 64), nil
}

func tooManySeconds(f float64) error {
	return errcode.New(errcode.BadArguments, "Cannot convert seconds to microseconds: the setting's value in seconds is too big: %v", f)
}
