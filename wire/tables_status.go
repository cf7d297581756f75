package wire

import "dictsvc/errcode"

// TableName names a table in a TablesStatus packet.
type TableName struct{ Database, Table string }

func encodeTablesRequest(w *output, tables []TableName) {
	w.uvarint(clientTablesStatus)
	w.uvarint(uint64(len(tables)))
	for _, t := range tables {
		w.str(t.Database)
		w.str(t.Table)
	}
}

func decodeTablesRequest(r *input, l *Limits) []TableName {
	n := r.count("Tables in a TablesStatusRequest", l.MaxSettings)
	var out []TableName
	for ; n > 0 && r.err == nil; n-- {
		t := TableName{Database: r.str("Database name", l.MaxString), Table: r.str("Table name", l.MaxString)}
		out = append(out, t)
	}
	return out
}

// encodeTablesResponse lists the tables that exist. None of them is replicated, so none has a delay.
func encodeTablesResponse(w *output, tables []TableName) {
	w.uvarint(serverTablesStatus)
	w.uvarint(uint64(len(tables)))
	for _, t := range tables {
		w.str(t.Database)
		w.str(t.Table)
		w.u8(0)
	}
}

func decodeTablesResponse(r *input, l *Limits) []TableName {
	n := r.count("Tables in a TablesStatusResponse", l.MaxSettings)
	var out []TableName
	for ; n > 0 && r.err == nil; n-- {
		t := TableName{Database: r.str("Database name", l.MaxString), Table: r.str("Table name", l.MaxString)}
		switch replicated := r.u8(); {
		case replicated == 1:
			r.uvarint() // delay
		case replicated > 1 && r.err == nil:
			r.fail(errcode.New(errcode.IncorrectData, "is_replicated: want 0 or 1, got %d", replicated))
		}
		out = append(out, t)
	}
	return out
}
