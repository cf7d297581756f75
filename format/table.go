package format

// specs lists the formats, one line each.
func specs() []spec {
	tsv := func(names, types bool) newWriterFunc {
		return newRows(rowStyle{kind: kindTSV, names: names, types: types})
	}
	raw := func(names, types bool) newWriterFunc {
		return newRows(rowStyle{kind: kindRaw, names: names, types: types})
	}
	csv := func(names, types bool) newWriterFunc {
		return newRows(rowStyle{kind: kindCSV, names: names, types: types})
	}
	compact := func(names, types, strs bool) newWriterFunc {
		return newRows(rowStyle{kind: kindCompact, names: names, types: types, strings: strs})
	}
	objects := func(strs bool) newWriterFunc { return newRows(rowStyle{kind: kindObject, strings: strs}) }
	pretty := func(g grid, mono, plain bool) newWriterFunc { return newPretty(g, plain) }
	return []spec{
		{"TabSeparated", tsv(false, false), tsvReader(false, false, false)},
		{"TSV", tsv(false, false), tsvReader(false, false, false)},
		{"TabSeparatedWithNames", tsv(true, false), tsvReader(false, true, false)},
		{"TSVWithNames", tsv(true, false), tsvReader(false, true, false)},
		{"TabSeparatedWithNamesAndTypes", tsv(true, true), tsvReader(false, true, true)},
		{"TSVWithNamesAndTypes", tsv(true, true), tsvReader(false, true, true)},
		{"TabSeparatedRaw", raw(false, false), tsvReader(true, false, false)},
		{"TSVRaw", raw(false, false), tsvReader(true, false, false)},
		{"Raw", raw(false, false), tsvReader(true, false, false)},
		{"TabSeparatedRawWithNames", raw(true, false), tsvReader(true, true, false)},
		{"TSVRawWithNames", raw(true, false), tsvReader(true, true, false)},
		{"RawWithNames", raw(true, false), tsvReader(true, true, false)},
		{"TabSeparatedRawWithNamesAndTypes", raw(true, true), tsvReader(true, true, true)},
		{"TSVRawWithNamesAndTypes", raw(true, true), tsvReader(true, true, true)},
		{"RawWithNamesAndTypes", raw(true, true), tsvReader(true, true, true)},
		{"TSKV", newRows(rowStyle{kind: kindTSKV}), nil},
		{"CSV", csv(false, false), csvReader(false, false)},
		{"CSVWithNames", csv(true, false), csvReader(true, false)},
		{"CSVWithNamesAndTypes", csv(true, true), csvReader(true, true)},
		{"Values", newRows(rowStyle{kind: kindValues}), newValuesReader},
		{"JSONEachRow", objects(false), nil},
		{"JSONLines", objects(false), nil},
		{"JSONL", objects(false), nil},
		{"NDJSON", objects(false), nil},
		{"JSONStringsEachRow", objects(true), nil},
		{"JSONCompactEachRow", compact(false, false, false), compactReader(false, false, false)},
		{"JSONCompactEachRowWithNames", compact(true, false, false), compactReader(true, false, false)},
		{"JSONCompactEachRowWithNamesAndTypes", compact(true, true, false), compactReader(true, true, false)},
		{"JSONCompactStringsEachRow", compact(false, false, true), compactReader(false, false, true)},
		{"JSONCompactStringsEachRowWithNames", compact(true, false, true), compactReader(true, false, true)},
		{"JSONCompactStringsEachRowWithNamesAndTypes", compact(true, true, true), compactReader(true, true, true)},
		{"JSON", newDocument(false, false), nil},
		{"JSONStrings", newDocument(false, true), nil},
		{"JSONCompact", newDocument(true, false), nil},
		{"JSONCompactStrings", newDocument(true, true), nil},
		{"Vertical", newVertical, nil},
		{"Pretty", pretty(gridFull, false, false), nil},
		{"PrettyNoEscapes", pretty(gridFull, false, true), nil},
		{"PrettyMonoBlock", pretty(gridFull, true, false), nil},
		{"PrettyNoEscapesMonoBlock", pretty(gridFull, true, true), nil},
		{"PrettyCompact", pretty(gridCompact, false, false), nil},
		{"PrettyCompactNoEscapes", pretty(gridCompact, false, true), nil},
		{"PrettyCompactMonoBlock", pretty(gridCompact, true, false), nil},
		{"PrettyCompactNoEscapesMonoBlock", pretty(gridCompact, true, true), nil},
		{"PrettySpace", pretty(gridSpace, false, false), nil},
		{"PrettySpaceNoEscapes", pretty(gridSpace, false, true), nil},
		{"PrettySpaceMonoBlock", pretty(gridSpace, true, false), nil},
		{"PrettySpaceNoEscapesMonoBlock", pretty(gridSpace, true, true), nil},
		{"Null", newNull, nil},
	}
}
