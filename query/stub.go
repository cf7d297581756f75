package query

import (
	"context"
	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/source"
	"dictsvc/sql"
	"strings"
)

func (c *catalog) load() error { return nil }
func (e *Engine) dictSource(ctx context.Context, def *dict.Definition) (source.Source, error) {
	return nil, nil
}
func fileFunction(f *tableCall) (relation, error) { return noFunction(f) }
func functionText(f *sql.CreateFunction) string   { return sql.Format(f) }
func errorLine(err error) string                  { return errcode.Line(err) }
func flatText(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n    ", ""), "\n)", ")")
}
func sysFormats() *sysTable {
	return sysEmpty("formats", "name", "String", "is_input", "UInt8", "is_output", "UInt8")()
}
