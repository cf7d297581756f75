package agg

import "dictsvc/column"

// serialise writes the rows' key images, one after another, as strings.
func serialise(keys []column.Column, rows int, out *column.Str) {
	out.Data, out.Ends, out.Start = out.Data[:0], out.Ends[:0], 0
	for i := range rows {
		for _, k := range keys {
			out.Data = k.AppendKey(out.Data, i)
		}
		out.EndRow()
	}
}
