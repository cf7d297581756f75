package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"dictsvc/column"
	"dictsvc/dict"
	"dictsvc/errcode"
	"dictsvc/source/jsonl"
	"dictsvc/sql"
)

func loadCommand() *cli.Command {
	return &cli.Command{
		Name:      "load",
		Usage:     "build a dictionary from a file and say what it takes",
		ArgsUsage: "FILE|-",
		Description: `Reads JSON rows ({"id":1,"name":"x"} a line; also one array; gzip, zstd and LZ4 are known by their first bytes; "-" is stdin).
Types are inferred from the file where --attr does not give them; without --attr all fields become attributes.

Examples:
   dictsvc load users.jsonl --name users --key id --save users.dict
   dictsvc load users.jsonl.gz --name users --key id --layout packed --max-load-factor 0.95 --json
   dictsvc load users.jsonl --name users --key 'id UInt64' --attr 'name String' --attr seg --max-errors 100
   dictsvc load - --name prices --key shop --key item --attr 'price Decimal(10, 2) DEFAULT 0' < prices.jsonl
   dictsvc load users.jsonl --name users --key id --server 127.0.0.1:9000`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`NAME` of the dictionary (required)"},
			&cli.StringSliceFlag{Name: "key", Usage: "key `COLUMN`, with its type if wanted ('id UInt64'); several make a complex key"},
			&cli.StringSliceFlag{Name: "attr", Usage: "an attribute: `'name Type [DEFAULT x]'`; may be repeated"},
			&cli.StringFlag{Name: "layout", Usage: "`LAYOUT`: hashed, sparse_hashed (also named packed), or their complex_key_ forms", Value: "hashed"},
			&cli.Float64Flag{Name: "max-load-factor", Usage: "`F` from 0.5 to 0.99: how full the table may be", DefaultText: "0.75 for hashed, 0.95 for packed"},
			&cli.IntFlag{Name: "shards", Usage: "`N` parts that are built side by side, ClickHouse's SHARDS", DefaultText: "none"},
			&cli.IntFlag{Name: "threads", Usage: "`N` threads that parse and build; without it SHARDS say how many build", DefaultText: "as many as processors"},
			&cli.StringFlag{Name: "format", Usage: "`FORMAT` of the file", Value: "JSONEachRow"},
			&cli.Uint64Flag{Name: "max-errors", Usage: "skip up to `N` bad rows instead of failing at the first", DefaultText: "none"},
			&cli.StringFlag{Name: "save", Usage: "write a snapshot to `FILE.dict`"},
			&cli.StringFlag{Name: "server", Usage: "create and load the dictionary on the server at `HOST:PORT`"},
			&cli.StringFlag{Name: "user", Usage: "`USER` on the server"},
			&cli.StringFlag{Name: "password", Usage: "`PASSWORD` on the server"},
			&cli.StringFlag{Name: "database", Usage: "`DATABASE` on the server", Value: "default"},
			&cli.BoolFlag{Name: "json", Usage: "print the figures as one JSON object"},
		},
		Action: load,
	}
}

// maxThreads bounds --threads: each has buffers of its own.
const maxThreads = 256

// figures is what load prints.
type figures struct {
	Name            string  `json:"name"`
	Layout          string  `json:"layout"`
	Rows            uint64  `json:"rows"`
	Elements        uint64  `json:"elements"`
	Skipped         uint64  `json:"skipped_rows"`
	Seconds         float64 `json:"seconds"`
	RowsPerSecond   float64 `json:"rows_per_second"`
	FileBytes       uint64  `json:"file_bytes"`
	BytesAllocated  uint64  `json:"bytes_allocated"`
	BytesPerElement float64 `json:"bytes_per_element"`
	LoadFactor      float64 `json:"load_factor"`
	RSS             uint64  `json:"rss"`
	RSSPeak         uint64  `json:"rss_peak"`
	RSSBefore       uint64  `json:"rss_before"`
	Saved           string  `json:"saved,omitempty"`
	Server          string  `json:"server,omitempty"`
}

func load(c *cli.Context) error {
	if c.NArg() != 1 {
		return usage("load: want one FILE (or -), got %d", c.NArg())
	}
	if c.String("name") == "" {
		return usage("load: --name is missing")
	}
	if len(c.StringSlice("key")) == 0 {
		return usage("load: --key is missing")
	}
	switch strings.ToLower(c.String("format")) {
	case "jsoneachrow", "jsonlines", "ndjson", "jsonl":
	default:
		return errcode.New(errcode.UnknownFormat, "format %s cannot be loaded; there are JSONEachRow, JSONLines and NDJSON", c.String("format"))
	}
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	debug.SetGCPercent(60) // the table lies outside the heap: what is in it is blocks on their way, soon garbage
	f := figures{Name: c.String("name"), RSSBefore: memoryOf("VmRSS")}
	start := time.Now()
	def, r, err := openFile(c)
	if err != nil {
		return err
	}
	defer r.Close()
	v, err := build(ctx, def, r, c.Int("threads"))
	if err != nil {
		return errcode.Wrap(err, "load dictionary %q", def.Name)
	}
	defer v.Release()
	f.Seconds = time.Since(start).Seconds()
	f.Skipped = r.Skipped()
	f.Rows, f.FileBytes, _ = r.Progress()
	f.RowsPerSecond = float64(f.Rows) / f.Seconds
	f.Layout, f.Elements, f.BytesAllocated, f.LoadFactor = def.Layout.Name, v.Len(), v.Bytes(), v.LoadFactor()
	if f.Elements > 0 {
		f.BytesPerElement = float64(f.BytesAllocated) / float64(f.Elements)
	}
	if err := r.Close(); err != nil {
		return err
	}
	f.RSSPeak = memoryOf("VmHWM")
	debug.FreeOSMemory()
	f.RSS = memoryOf("VmRSS")
	if path := c.String("save"); path != "" {
		if err := v.Save(path); err != nil {
			return err
		}
		f.Saved = path
	}
	if addr := c.String("server"); addr != "" {
		if err := loadOnServer(ctx, c, addr, v); err != nil {
			return errcode.Wrap(err, "load dictionary %q on %s", def.Name, addr)
		}
		f.Server = addr
	}
	return f.print(c)
}

func (f *figures) print(c *cli.Context) error {
	w := c.App.Writer
	if c.Bool("json") {
		return json.NewEncoder(w).Encode(f)
	}
	fmt.Fprintf(w, "dictionary       %s (%s)\n", f.Name, f.Layout)
	fmt.Fprintf(w, "rows             %d", f.Rows)
	if f.Rows != f.Elements {
		fmt.Fprintf(w, ", %d distinct keys", f.Elements)
	}
	if f.Skipped > 0 {
		fmt.Fprintf(w, ", %d bad rows skipped", f.Skipped)
	}
	fmt.Fprintf(w, "\nseconds          %.3f (%s rows/s, %s/s of file)\n", f.Seconds, short(f.RowsPerSecond), shortBytes(float64(f.FileBytes)/f.Seconds))
	fmt.Fprintf(w, "bytes_allocated  %d (%s)\n", f.BytesAllocated, shortBytes(float64(f.BytesAllocated)))
	fmt.Fprintf(w, "bytes/element    %.2f\n", f.BytesPerElement)
	fmt.Fprintf(w, "load factor      %.4f\n", f.LoadFactor)
	fmt.Fprintf(w, "RSS              %s (peak %s, before %s)\n", shortBytes(float64(f.RSS)), shortBytes(float64(f.RSSPeak)), shortBytes(float64(f.RSSBefore)))
	if f.Saved != "" {
		fmt.Fprintf(w, "saved            %s\n", f.Saved)
	}
	if f.Server != "" {
		fmt.Fprintf(w, "server           %s\n", f.Server)
	}
	return nil
}

// memoryOf reads a line of /proc/self/status in bytes; 0 where there is none.
func memoryOf(what string) uint64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			kb, _ := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kb << 10
		}
	}
	return 0
}

// openFile opens the file with the dictionary's columns: as the flags give them, else inferred.
func openFile(c *cli.Context) (*dict.Definition, *jsonl.Reader, error) {
	def := &dict.Definition{Database: c.String("database"), Name: c.String("name"), Source: dict.Source{Kind: "file", Params: map[string]string{"path": c.Args().First(), "format": "JSONEachRow"}},
		Layout: dict.Layout{Name: strings.ToLower(c.String("layout")), MaxLoadFactor: c.Float64("max-load-factor"), Shards: c.Int("shards")}}
	keys, err := parseColumns(c.StringSlice("key"), false)
	if err != nil {
		return nil, nil, err
	}
	attrs, err := parseColumns(c.StringSlice("attr"), true)
	if err != nil {
		return nil, nil, err
	}
	if err := def.CheckLimits(); err != nil { // before anything is read
		return nil, nil, err
	}
	if err := dict.KnownLayout(def.Layout.Name); err != nil {
		return nil, nil, err
	}
	o := jsonl.Options{Threads: c.Int("threads"), MaxErrors: c.Uint64("max-errors")}
	if o.Threads < 0 || o.Threads > maxThreads {
		return nil, nil, usage("load: --threads: want 1 to %d, got %d", maxThreads, o.Threads)
	}
	if o.Threads == 0 {
		o.Threads = threads()
	}
	columns := func() ([]jsonl.Column, error) {
		if err := def.Normalise(); err != nil {
			return nil, err
		}
		var cols []jsonl.Column
		for i, a := range def.Columns() {
			cols = append(cols, jsonl.Column{Name: a.Name, Type: a.Type, Default: a.Default, Required: i < len(def.Keys)})
		}
		return cols, nil
	}
	path := c.Args().First()
	if len(attrs) > 0 && typed(keys) && typed(attrs) {
		def.Keys, def.Attrs = keys, attrs
		if o.Columns, err = columns(); err != nil {
			return nil, nil, err
		}
		r, err := jsonl.Open(path, o)
		return def, r, err
	}
	r, err := jsonl.OpenInferred(path, o, jsonl.InferOptions{}, func(found []jsonl.Column) ([]jsonl.Column, error) {
		if def.Keys, def.Attrs, err = complete(keys, attrs, found); err != nil {
			return nil, errcode.Wrap(err, "file %q", path)
		}
		return columns()
	})
	if errcode.Of(err) == errcode.CannotExtractTableStructure {
		err = errcode.Wrap(err, "types cannot be inferred (give them: --key 'id UInt64' --attr 'name String' ...)")
	}
	return def, r, err
}

func typed(list []dict.Attribute) bool {
	for _, a := range list {
		if a.Type == nil {
			return false
		}
	}
	return true
}

// parseColumns reads 'name [Type [DEFAULT x]]'.
func parseColumns(specs []string, withDefault bool) ([]dict.Attribute, error) {
	var list []dict.Attribute
	for _, spec := range specs {
		name, rest, _ := strings.Cut(strings.TrimSpace(spec), " ")
		a := dict.Attribute{Name: strings.Trim(name, "`\"")}
		if rest = strings.TrimSpace(rest); rest != "" {
			typ, def, has := cutDefault(rest)
			if has && !withDefault {
				return nil, usage("load: a key has no DEFAULT: %q", spec)
			}
			t, err := column.Parse(typ)
			if err != nil {
				return nil, errcode.Wrap(err, "column %q", a.Name)
			}
			a.Type = t
			if has {
				if a.Default, err = literal(t, def); err != nil {
					return nil, errcode.Wrap(err, "DEFAULT of column %q", a.Name)
				}
			}
		}
		list = append(list, a)
	}
	return list, nil
}

// cutDefault splits "Type DEFAULT x".
func cutDefault(s string) (typ, def string, has bool) {
	at := strings.Index(strings.ToUpper(s), " DEFAULT ")
	if at < 0 {
		return s, "", false
	}
	return strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+len(" DEFAULT "):]), true
}

// literal reads a default: an SQL literal, or a bare value.
func literal(t *column.Type, text string) (column.Column, error) {
	one := column.New(t, 1)
	if err := column.ParseText(one, []byte(text), column.TextQuoted); err == nil {
		return one, nil
	}
	return one, column.ParseText(one, []byte(text), column.TextRaw)
}

// complete gives inferred types to columns without one; without attributes all other fields of the file become some.
func complete(keys, attrs []dict.Attribute, found []jsonl.Column) ([]dict.Attribute, []dict.Attribute, error) {
	types := map[string]*column.Type{}
	var names []string
	for _, f := range found {
		types[f.Name] = attributeType(f.Type)
		names = append(names, f.Name)
	}
	fill := func(list []dict.Attribute) ([]dict.Attribute, error) {
		out := append([]dict.Attribute(nil), list...)
		for i, a := range out {
			if a.Type != nil {
				continue
			}
			if types[a.Name] == nil {
				return nil, errcode.New(errcode.ThereIsNoColumn, "there is no column %q; its rows have %s", a.Name, strings.Join(names, ", "))
			}
			out[i].Type = types[a.Name]
		}
		return out, nil
	}
	k, err := fill(keys)
	if err != nil {
		return nil, nil, err
	}
	for i := range k {
		k[i].Type = k[i].Type.NoNull() // a key is never NULL; a row without one is an error or the default's
	}
	if len(attrs) > 0 {
		a, err := fill(attrs)
		return k, a, err
	}
	isKey := map[string]bool{}
	for _, key := range keys {
		isKey[key.Name] = true
	}
	var a []dict.Attribute
	for _, f := range found {
		if !isKey[f.Name] {
			a = append(a, dict.Attribute{Name: f.Name, Type: types[f.Name]})
		}
	}
	return k, a, nil
}

// attributeType makes an inferred type one that a dictionary can have: objects are kept as their JSON text.
func attributeType(t *column.Type) *column.Type {
	if t.Kind == column.Tuple || t.Kind == column.Array && hasTuple(t) {
		return column.Of(column.String)
	}
	return t
}

func hasTuple(t *column.Type) bool {
	for _, e := range t.Elems {
		if e.Kind == column.Tuple || hasTuple(e) {
			return true
		}
	}
	return false
}

// build reads all rows into a version, with a progress bar on a terminal.
func build(ctx context.Context, def *dict.Definition, r *jsonl.Reader, threads int) (*dict.Version, error) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return dict.Load(ctx, def, r, dict.LoadOptions{Threads: threads})
	}
	_, _, total := r.Progress()
	size := int64(total)
	if total == 0 {
		size = -1
	}
	bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowBytes(true), progressbar.OptionSetDescription("load "+def.Name),
		progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
	v, err := dict.Load(ctx, def, r, dict.LoadOptions{Threads: threads, Progress: func(uint64) {
		_, read, _ := r.Progress()
		_ = bar.Set64(int64(read)) // a bar that cannot be drawn is no reason to stop
	}})
	_ = bar.Clear()
	return v, err
}

// loadOnServer pushes the rows into a table beside the dictionary and has the server load from it.
func loadOnServer(ctx context.Context, c *cli.Context, addr string, v *dict.Version) error {
	client, err := dial(ctx, addr, c.String("user"), c.String("password"), c.String("database"))
	if err != nil {
		return err
	}
	defer client.Close()
	def := v.Definition()
	table := sql.QuoteName(def.Name + "_source")
	var cols, create []string
	for _, a := range def.Columns() {
		cols = append(cols, sql.QuoteName(a.Name)+" "+a.Type.String())
	}
	for i, a := range def.Columns() {
		text := sql.QuoteName(a.Name) + " " + a.Type.String()
		if i >= len(def.Keys) {
			text += " DEFAULT " + string(column.AppendText(nil, a.Default, 0, column.TextQuoted))
		}
		create = append(create, text)
	}
	var keys []string
	for _, k := range def.Keys {
		keys = append(keys, sql.QuoteName(k.Name))
	}
	layout := strings.ToUpper(def.Layout.Name) + "("
	if f := def.Layout.MaxLoadFactor; f != 0 {
		layout += "MAX_LOAD_FACTOR " + strconv.FormatFloat(f, 'g', -1, 64)
	}
	layout += ")"
	for _, text := range []string{
		"CREATE OR REPLACE TABLE " + table + " (" + strings.Join(cols, ", ") + ") ENGINE = Memory",
		"",
		"CREATE OR REPLACE DICTIONARY " + sql.QuoteName(def.Name) + " (" + strings.Join(create, ", ") + ") PRIMARY KEY " + strings.Join(keys, ", ") +
			" SOURCE(CLICKHOUSE(TABLE " + sql.QuoteString(def.Name+"_source") + ")) LIFETIME(0) LAYOUT(" + layout + ")",
		"SYSTEM RELOAD DICTIONARY " + sql.QuoteName(def.Name),
	} {
		if text == "" {
			err = insertAll(ctx, client, table, v)
		} else {
			err = client.Exec(ctx, request(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachBlock scans a version.
func eachBlock(v *dict.Version, f func(cols []column.Column, rows int) error) error {
	all := make([]int, len(v.Definition().Columns()))
	for i := range all {
		all[i] = i
	}
	s := v.Scan(all, 1)[0]
	for {
		cols, n := s.Next()
		if n == 0 {
			return nil
		}
		if err := f(cols, n); err != nil {
			return err
		}
	}
}
