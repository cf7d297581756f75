package query

import (
	"slices"
	"strconv"
	"strings"

	"dictsvc/errcode"
	"dictsvc/sql"
)

// The engines of tables.
const (
	memoryEngine = "Memory"
	nullEngine   = "Null"
)

// memorySettings are the SETTINGS of a Memory table.
type memorySettings struct {
	list               []sql.Setting // as written
	compress           bool
	minRows, maxRows   uint64
	minBytes, maxBytes uint64
}

// newMemorySettings reads SETTINGS. Errors 115 for names that the engine has not, 452 for a least number above the greatest.
func newMemorySettings(list []sql.Setting) (memorySettings, error) {
	s := memorySettings{list: list}
	for i := range list {
		if err := s.set(list[i].Name, list[i].Value.Text()); err != nil {
			return s, err
		}
	}
	if s.minRows > s.maxRows {
		return s, minAboveMax("min_rows_to_keep", "max_rows_to_keep", s.minRows, s.maxRows)
	}
	if s.minBytes > s.maxBytes {
		return s, minAboveMax("min_bytes_to_keep", "max_bytes_to_keep", s.minBytes, s.maxBytes)
	}
	return s, nil
}

func minAboveMax(low, high string, a, b uint64) error {
	return errcode.New(errcode.SettingConstraintViolation, "Setting `%s` cannot be higher than the `%s`. `%s`: %d, `%s`: %d", low, high, low, a, high, b)
}

func (s *memorySettings) set(name, value string) error {
	number := map[string]*uint64{"min_rows_to_keep": &s.minRows, "max_rows_to_keep": &s.maxRows, "min_bytes_to_keep": &s.minBytes, "max_bytes_to_keep": &s.maxBytes}[name]
	switch {
	case number != nil:
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return errcode.New(errcode.CannotParseNumber, "Setting %s wants a number, got '%s'", name, value)
		}
		*number = n
	case name == "compress":
		switch {
		case value == "1" || strings.EqualFold(value, "true"):
			s.compress = true
		case value == "0" || strings.EqualFold(value, "false"):
			s.compress = false
		case strings.Trim(value, "0123456789") == "" && value != "":
			return errcode.New(errcode.CannotConvertType, "Field value %s is out of range of bool type", value)
		default:
			return errcode.New(errcode.CannotParseBool, "Cannot parse bool from string '%s'", value)
		}
	default:
		return errcode.New(errcode.UnknownSetting, "Unknown setting '%s': for storage Memory", name)
	}
	return nil
}

// tableEngine settles a new table's engine and its settings.
func (q *run) tableEngine(s *sql.CreateTable, t *memoryTable) error {
	t.kind = memoryEngine
	e := s.Engine
	if e == nil {
		return nil // Memory is the default
	}
	clauses := e.OrderBy != nil || e.PrimaryKey != nil || e.PartitionBy != nil || e.SampleBy != nil
	switch e.Name {
	case "":
		if clauses {
			return unknownEngine("MergeTree")
		}
	case memoryEngine:
	case nullEngine:
		t.kind = nullEngine
		if len(e.Settings) > 0 {
			return errcode.New(errcode.BadArguments, "Engine Null doesn't support SETTINGS clause.")
		}
	default:
		return unknownEngine(e.Name)
	}
	keyed := slices.ContainsFunc(s.Columns, func(d *sql.ColumnDef) bool { return d.PrimaryKey })
	ttl := slices.ContainsFunc(s.Columns, func(d *sql.ColumnDef) bool { return d.TTL != nil })
	switch {
	case len(e.Args) > 0:
		return errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Engine %s doesn't support any arguments (%d given)", t.kind, len(e.Args))
	case clauses || keyed || len(s.ColumnsPK) > 0:
		return errcode.New(errcode.BadArguments, "Engine %s doesn't support PARTITION_BY, PRIMARY_KEY, ORDER_BY or SAMPLE_BY clauses.", t.kind)
	case ttl || len(e.TTL) > 0:
		return errcode.New(errcode.BadArguments, "Engine %s doesn't support TTL clause.", t.kind)
	case len(s.Indexes) > 0:
		return errcode.New(errcode.BadArguments, "Engine %s doesn't support skipping indices.", t.kind)
	case len(s.Projections) > 0:
		return errcode.New(errcode.BadArguments, "Engine %s doesn't support projections.", t.kind)
	}
	var err error
	t.conf, err = newMemorySettings(e.Settings)
	return err
}

func unknownEngine(name string) error {
	hint := ""
	if hints := similar(name, []string{"Memory", "Null"}, 2); len(hints) > 0 {
		hint = ". Maybe you meant: ['" + strings.Join(hints, "','") + "']"
	}
	return errcode.New(errcode.UnknownStorage, "Unknown table engine %s%s", name, hint)
}

// engineText is the engine with its settings, as system.tables shows it.
func (t *memoryTable) engineText() string {
	name := t.kind
	if name == nullEngine {
		name = sql.QuoteName(name)
	}
	for i, st := range t.conf.list {
		if i == 0 {
			name += " SETTINGS "
		} else {
			name += ", "
		}
		name += st.Name + " = " + st.Value.Text()
	}
	return name
}
