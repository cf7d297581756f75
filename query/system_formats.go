package query

import (
	"dictsvc/format"
)

func sysFormats() *sysTable {
	return &sysTable{name: "formats", cols: sysColumns("name", "String", "is_input", "UInt8", "is_output", "UInt8"),
		rows: func(_ *run, add func(...any)) {
			for _, n := range format.Known() {
				add(n, isJSONRows(n) || format.Readable(n), true)
			}
			add("Values", true, false)
		}}
}
