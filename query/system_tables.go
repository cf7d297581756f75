package query

import (
	"fmt"
	"strings"
	"time"

	"dictsvc/agg"
	"dictsvc/function"
)

func sysDatabases() *sysTable {
	return &sysTable{name: "databases", cols: sysColumns("name", "String", "engine", "String", "data_path", "String", "metadata_path", "String", "uuid", "UUID",
		"engine_full", "String", "comment", "String", "is_external", "UInt8"),
		rows: func(q *run, add func(...any)) {
			for _, n := range q.engine.catalog.databaseNames() {
				db := q.engine.catalog.database(n)
				if db != nil {
					add(n, "Atomic", "", "", db.uuid, "Atomic", "", 0)
				}
			}
		}}
}

func sysTables() *sysTable {
	return &sysTable{name: "tables", cols: sysColumns("database", "String", "name", "String", "uuid", "UUID", "engine", "String", "is_temporary", "UInt8",
		"data_paths", "Array(String)", "metadata_path", "String", "metadata_modification_time", "DateTime", "metadata_version", "Int32",
		"dependencies_database", "Array(String)", "dependencies_table", "Array(String)", "create_table_query", "String", "engine_full", "String",
		"as_select", "String", "partition_key", "String", "sorting_key", "String", "primary_key", "String", "sampling_key", "String", "storage_policy", "String",
		"total_rows", "Nullable(UInt64)", "total_bytes", "Nullable(UInt64)", "parts", "Nullable(UInt64)", "active_parts", "Nullable(UInt64)",
		"comment", "String", "has_own_data", "UInt8"),
		rows: func(q *run, add func(...any)) {
			list := func(database string, tables []namedTable) {
				for _, t := range tables {
					var rows, bytes any
					if r, b, ok := t.size(); ok {
						rows, bytes = r, b
					}
					full, as := "", ""
					m, _ := t.table.(*memoryTable)
					if m != nil {
						full = m.engineText()
					}
					if v, ok := t.table.(*viewTable); ok {
						as = v.query
					}
					add(database, t.name, t.id(), t.engine(), m != nil && m.temp, nil, "", nil, 0, nil, nil, strings.ReplaceAll(flatText(t.create()), "\n", " "), full,
						as, "", "", "", "", "", rows, bytes, nil, nil, t.comment(), m != nil && m.kind == memoryEngine)
				}
			}
			for _, n := range q.engine.catalog.databaseNames() {
				list(n, q.engine.catalog.list(n))
			}
			var temp []namedTable
			for n, t := range q.session.temp {
				temp = append(temp, namedTable{n, t})
			}
			list("", temp)
		}}
}

func sysColumnsTable() *sysTable {
	return &sysTable{name: "columns", cols: sysColumns("database", "String", "table", "String", "name", "String", "type", "String", "position", "UInt64",
		"default_kind", "String", "default_expression", "String", "data_compressed_bytes", "UInt64", "data_uncompressed_bytes", "UInt64", "marks_bytes", "UInt64",
		"comment", "String", "is_in_partition_key", "UInt8", "is_in_sorting_key", "UInt8", "is_in_primary_key", "UInt8", "is_in_sampling_key", "UInt8",
		"compression_codec", "String", "character_octet_length", "Nullable(UInt64)", "numeric_precision", "Nullable(UInt64)",
		"numeric_precision_radix", "Nullable(UInt64)", "numeric_scale", "Nullable(UInt64)", "datetime_precision", "Nullable(UInt64)"),
		rows: func(q *run, add func(...any)) {
			for _, n := range q.engine.catalog.databaseNames() {
				for _, t := range q.engine.catalog.list(n) {
					for i, c := range t.columns() {
						add(n, t.name, c.Name, c.Type.String(), i+1, c.DefaultKind, c.Default, nil, nil, nil, c.Comment)
					}
				}
			}
		}}
}

func sysFunctions() *sysTable {
	return &sysTable{name: "functions", cols: sysColumns("name", "String", "is_aggregate", "UInt8", "case_insensitive", "UInt8", "alias_to", "String",
		"create_query", "String", "origin", "Enum8('System' = 0, 'SQLUserDefined' = 1, 'ExecutableUserDefined' = 2, 'WasmUserDefined' = 3)", "description", "String",
		"syntax", "String", "arguments", "String", "parameters", "String", "returned_value", "String", "examples", "String", "introduced_in", "String", "categories", "String",
		"deterministic", "Nullable(UInt8)", "higher_order", "Nullable(UInt8)"),
		rows: func(q *run, add func(...any)) {
			for _, n := range function.Names() {
				add(n.Name, 0, n.CaseInsensitive, n.AliasTo)
			}
			for n := range q.engine.functions {
				add(n, 0, 0, "")
			}
			for _, n := range agg.Names() {
				add(n, 1, 0, "")
			}
			for _, f := range windowFunctions() {
				add(f.name, 1, !f.exact, "")
			}
			q.engine.catalog.mu.RLock()
			defer q.engine.catalog.mu.RUnlock()
			for n, f := range q.engine.catalog.functions {
				add(n, 0, 0, "", functionText(f), 1)
			}
		}}
}

func sysSettings() *sysTable {
	return &sysTable{name: "settings", cols: sysColumns("name", "String", "value", "String", "changed", "UInt8", "description", "String", "min", "Nullable(String)",
		"max", "Nullable(String)", "disallowed_values", "Array(String)", "readonly", "UInt8", "type", "String", "default", "String", "alias_for", "String",
		"is_obsolete", "UInt8", "tier", "Enum8('Production' = 0, 'Obsolete' = 4, 'Experimental' = 8, 'Beta' = 12)"),
		rows: func(q *run, add func(...any)) {
			for _, n := range settingNames() {
				info := knownSettings()[n]
				_, changed := q.settings.lookup(n)
				value := q.settingText(n)
				add(n, value, changed, "", nil, nil, nil, 0, info.Type, info.Default, info.AliasFor, 0, 0)
			}
		}}
}

// settingText is a setting's value as system.settings shows it: "auto" with what it comes to.
func (q *run) settingText(name string) string {
	v := q.settings.get(name)
	if v == "auto" && knownSettings()[name].Type == "MaxThreads" {
		return fmt.Sprintf("auto(%d)", q.threads)
	}
	return v
}

func sysProcesses() *sysTable {
	return &sysTable{name: "processes", cols: sysColumns("is_initial_query", "UInt8", "user", "String", "query_id", "String", "address", "String",
		"client_name", "String", "elapsed", "Float64", "is_cancelled", "UInt8", "read_rows", "UInt64", "read_bytes", "UInt64", "total_rows_approx", "UInt64",
		"written_rows", "UInt64", "written_bytes", "UInt64", "memory_usage", "Int64", "peak_memory_usage", "Int64", "query", "String", "query_kind", "String",
		"current_database", "String"),
		rows: func(q *run, add func(...any)) {
			for _, p := range q.engine.processes.list() {
				add(1, p.session.user.Name, p.id, p.req.Address, p.req.ClientName, time.Since(p.start).Seconds(), p.killed.Load(), p.readRows.Load(), p.readBytes.Load(),
					p.totalRows.Load(), p.writtenRows.Load(), p.writtenBytes.Load(), p.memory.Load(), p.peak.Load(), p.text, p.kind, p.database)
			}
		}}
}

func sysDictionaries() *sysTable {
	return &sysTable{name: "dictionaries", cols: sysColumns("database", "String", "name", "String", "uuid", "UUID",
		"status", "Enum8('NOT_LOADED' = 0, 'LOADED' = 1, 'FAILED' = 2, 'LOADING' = 3, 'FAILED_AND_RELOADING' = 4, 'LOADED_AND_RELOADING' = 5, 'NOT_EXIST' = 6)",
		"origin", "String", "type", "String", "key.names", "Array(String)", "key.types", "Array(String)", "attribute.names", "Array(String)",
		"attribute.types", "Array(String)", "bytes_allocated", "UInt64", "hierarchical_index_bytes_allocated", "UInt64", "query_count", "UInt64",
		"hit_rate", "Float64", "found_rate", "Float64", "element_count", "UInt64", "load_factor", "Float64", "source", "String", "lifetime_min", "UInt64",
		"lifetime_max", "UInt64", "loading_start_time", "DateTime", "last_successful_update_time", "DateTime", "error_count", "UInt64",
		"loading_duration", "Float32", "last_exception", "String", "comment", "String"),
		rows: func(q *run, add func(...any)) {
			for _, d := range q.engine.dicts.List() {
				in := d.Info()
				def := in.Definition
				var keyNames, keyTypes, names, types []string
				for _, k := range def.Keys {
					keyNames, keyTypes = append(keyNames, k.Name), append(keyTypes, k.Type.String())
				}
				for _, a := range def.Attrs {
					names, types = append(names, a.Name), append(types, a.Type.String())
				}
				exception := ""
				if in.LastError != nil {
					exception = errorLine(in.LastError)
				}
				hit := 0.0
				if in.Queries > 0 {
					hit = 1
				}
				add(def.Database, def.Name, def.UUID, int(in.Status), def.UUID, def.TypeName(), keyNames, keyTypes, names, types, in.Bytes, uint64(0), in.Queries, hit, in.FoundRate,
					in.Elements, in.LoadFactor, def.Source.Describe(def.Database), def.LifetimeMin, def.LifetimeMax, unixTime(in.Started), unixTime(in.Updated), in.Errors,
					in.Duration.Seconds(), exception, def.Comment)
			}
		}}
}

func unixTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func sysTableFunctions() *sysTable {
	return &sysTable{name: "table_functions", cols: sysColumns("name", "String", "description", "String", "allow_readonly", "UInt8"),
		rows: func(_ *run, add func(...any)) {
			for _, n := range []string{"dictionary", "file", "generateSeries", "generate_series", "null", "numbers", "numbers_mt", "values", "view", "zeros", "zeros_mt"} {
				add(n, "", n != "file")
			}
		}}
}

func sysTableEngines() *sysTable {
	return &sysTable{name: "table_engines", cols: sysColumns("name", "String", "supports_settings", "UInt8", "supports_skipping_indices", "UInt8",
		"supports_projections", "UInt8", "supports_sort_order", "UInt8", "supports_ttl", "UInt8", "supports_replication", "UInt8",
		"supports_deduplication", "UInt8", "supports_parallel_insert", "UInt8"),
		rows: func(_ *run, add func(...any)) {
			add("Memory", 1, 0, 0, 0, 0, 0, 0, 1)
			add("Null", 0, 0, 0, 0, 0, 0, 0, 1)
			add("View", 0, 0, 0, 0, 0, 0, 0, 0)
		}}
}

func sysBuildOptions() *sysTable {
	return &sysTable{name: "build_options", cols: sysColumns("name", "String", "value", "String"),
		rows: func(_ *run, add func(...any)) {
			add("VERSION_FULL", "dictsvc, following ClickHouse "+Version)
			add("VERSION_DESCRIBE", "v"+Version)
		}}
}

func sysDataTypes() *sysTable {
	return &sysTable{name: "data_type_families", cols: sysColumns("name", "String", "case_insensitive", "UInt8", "alias_to", "String"),
		rows: func(_ *run, add func(...any)) {
			for _, n := range strings.Fields("Array Bool Date Date32 DateTime DateTime64 Decimal Decimal128 Decimal256 Decimal32 Decimal64 Enum8 Enum16 FixedString Float32 Float64 IPv4 IPv6 " +
				"Int128 Int16 Int256 Int32 Int64 Int8 LowCardinality Map Nothing Nullable String Tuple UInt128 UInt16 UInt256 UInt32 UInt64 UInt8 UUID") {
				add(n, 0, "")
			}
		}}
}

func sysCombinators() *sysTable {
	return &sysTable{name: "aggregate_function_combinators", cols: sysColumns("name", "String", "is_internal", "UInt8"),
		rows: func(_ *run, add func(...any)) {
			for _, n := range []string{"Distinct", "If", "OrDefault", "OrNull"} {
				add(n, 0)
			}
		}}
}
