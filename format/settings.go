package format

import (
	"strconv"

	"dictsvc/column"
)

// Settings are the settings that formats obey; the comments name ClickHouse's. Make them with Defaults or FromSettings.
type Settings struct {
	Text column.TextOptions // how single values are written

	CSVDelimiter     byte   // format_csv_delimiter
	CSVNull          string // format_csv_null_representation
	CSVSingleQuotes  bool   // format_csv_allow_single_quotes
	CSVTupleColumns  bool   // input_format_csv_deserialize_separate_columns_into_tuple: a tuple takes a field for each element
	TSVNull          string // format_tsv_null_representation
	CRLF             bool   // output_format_tsv_crlf_end_of_line and output_format_csv_crlf_end_of_line
	EmptyAsDefault   bool   // input_format_tsv_empty_as_default, input_format_csv_empty_as_default
	NullAsDefault    bool   // input_format_null_as_default: NULL for a column that holds none is its default
	UseHeader        bool   // input_format_with_names_use_header
	CheckTypes       bool   // input_format_with_types_use_header
	SkipUnknown      bool   // input_format_skip_unknown_fields
	AllowErrors      uint64 // input_format_allow_errors_num: so many bad rows are left out
	AllowErrorsRatio float64

	JSONArray      bool // output_format_json_array_of_rows
	JSONStatistics bool // output_format_write_statistics

	Pretty Pretty

	// Rows in the query text are numbered from 1; a reader of a part of a larger input starts later.
	FirstRow uint64
	// Extra are formats that other packages read, by name: the JSON objects of source/jsonl.
	Extra map[string]NewExternalReader
	// Expression evaluates an expression that stands in VALUES where a literal was expected; src begins at it and it ends before
	// a ',' or ')' outside brackets. It returns one row of the type and how many bytes the expression took. nil: expressions are errors.
	Expression func(src []byte, t *column.Type) (value column.Column, n int, err error)
	// DefaultOf gives the default of column i for DEFAULT in VALUES, for omitted columns and for NULL as default; nil: the types' own.
	DefaultOf func(i int) (column.Column, error)
}

// Pretty are the settings of the Pretty formats.
type Pretty struct {
	MaxRows          uint64 // output_format_pretty_max_rows
	MaxPad           int    // output_format_pretty_max_column_pad_width
	MaxValue         int    // output_format_pretty_max_value_width
	Color            bool   // output_format_pretty_color
	RowNumbers       bool   // output_format_pretty_row_numbers
	ASCII            bool   // output_format_pretty_grid_charset
	FooterRows       int    // output_format_pretty_display_footer_column_names_min_rows, 0: no footer
	TipFrom          uint64 // output_format_pretty_single_large_number_tip_threshold, 0: never
	DigitGroups      bool   // output_format_pretty_highlight_digit_groups, with Color
	FallbackVertical bool   // output_format_pretty_fallback_to_vertical
	NameWidth        int    // output_format_pretty_max_column_name_width_cut_to, 0: names are not cut
	NameMinCut       int    // output_format_pretty_max_column_name_width_min_chars_to_cut
	Multiline        bool   // output_format_pretty_multiline_fields
}

// Defaults are ClickHouse's settings where output goes to no terminal.
func Defaults() *Settings {
	return &Settings{
		Text: column.DefaultText(column.TextRaw), CSVDelimiter: ',', CSVNull: `\N`, CSVTupleColumns: true, TSVNull: `\N`, EmptyAsDefault: false, NullAsDefault: true, UseHeader: true,
		CheckTypes: true, SkipUnknown: true, JSONStatistics: true,
		Pretty: Pretty{MaxRows: 1000, MaxPad: 250, MaxValue: 10000, RowNumbers: true, FooterRows: 50, TipFrom: 1000000, DigitGroups: true, FallbackVertical: true, NameWidth: 24,
			NameMinCut: 4, Multiline: true},
	}
}

// FromSettings reads settings by ClickHouse's names; get returns "" for one that was not changed.
func FromSettings(get func(name string) string) *Settings {
	s := Defaults()
	flag := func(name string, p *bool) {
		if v := get(name); v != "" {
			*p = v != "0" && v != "false" && v != "never"
		}
	}
	num := func(name string, p *int) {
		if v, err := strconv.Atoi(get(name)); err == nil {
			*p = v
		}
	}
	count := func(name string, p *uint64) {
		if v, err := strconv.ParseUint(get(name), 10, 64); err == nil {
			*p = v
		}
	}
	word := func(name string, p *string) {
		if v := get(name); v != "" {
			*p = v
		}
	}
	t := &s.Text
	flag("output_format_json_quote_64bit_integers", &t.Quote64)
	flag("output_format_json_quote_64bit_floats", &t.QuoteFloats)
	flag("output_format_json_quote_denormals", &t.QuoteDenormals)
	flag("output_format_json_quote_decimals", &t.QuoteDecimals)
	flag("output_format_json_escape_forward_slashes", &t.EscapeSlashes)
	flag("output_format_json_named_tuples_as_objects", &t.NamedTuples)
	flag("output_format_json_map_as_array_of_tuples", &t.MapsAsTuples)
	flag("output_format_decimal_trailing_zeros", &t.DecimalZeros)
	word("bool_true_representation", &t.True)
	word("bool_false_representation", &t.False)
	switch get("date_time_output_format") {
	case "iso":
		t.Times = column.TimeISO
	case "unix_timestamp":
		t.Times = column.TimeUnix
	}
	if v := get("format_csv_delimiter"); v != "" {
		s.CSVDelimiter = v[0]
	}
	word("format_csv_null_representation", &s.CSVNull)
	word("format_tsv_null_representation", &s.TSVNull)
	flag("format_csv_allow_single_quotes", &s.CSVSingleQuotes)
	flag("input_format_csv_deserialize_separate_columns_into_tuple", &s.CSVTupleColumns)
	flag("output_format_tsv_crlf_end_of_line", &s.CRLF)
	flag("output_format_csv_crlf_end_of_line", &s.CRLF)
	flag("input_format_tsv_empty_as_default", &s.EmptyAsDefault)
	flag("input_format_null_as_default", &s.NullAsDefault)
	flag("input_format_with_names_use_header", &s.UseHeader)
	flag("input_format_with_types_use_header", &s.CheckTypes)
	flag("input_format_skip_unknown_fields", &s.SkipUnknown)
	count("input_format_allow_errors_num", &s.AllowErrors)
	if v, err := strconv.ParseFloat(get("input_format_allow_errors_ratio"), 64); err == nil {
		s.AllowErrorsRatio = v
	}
	flag("output_format_json_array_of_rows", &s.JSONArray)
	flag("output_format_write_statistics", &s.JSONStatistics)
	p := &s.Pretty
	count("output_format_pretty_max_rows", &p.MaxRows)
	num("output_format_pretty_max_column_pad_width", &p.MaxPad)
	num("output_format_pretty_max_value_width", &p.MaxValue)
	if v := get("output_format_pretty_color"); v == "1" || v == "true" {
		p.Color = true
	}
	flag("output_format_pretty_row_numbers", &p.RowNumbers)
	p.ASCII = get("output_format_pretty_grid_charset") == "ASCII"
	num("output_format_pretty_display_footer_column_names_min_rows", &p.FooterRows)
	if v := get("output_format_pretty_display_footer_column_names"); v == "0" || v == "false" {
		p.FooterRows = 0
	}
	count("output_format_pretty_single_large_number_tip_threshold", &p.TipFrom)
	flag("output_format_pretty_highlight_digit_groups", &p.DigitGroups)
	flag("output_format_pretty_fallback_to_vertical", &p.FallbackVertical)
	num("output_format_pretty_max_column_name_width_cut_to", &p.NameWidth)
	num("output_format_pretty_max_column_name_width_min_chars_to_cut", &p.NameMinCut)
	flag("output_format_pretty_multiline_fields", &p.Multiline)
	return s
}
