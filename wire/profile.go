package wire

func (p *Profile) encode(w *output) {
	w.uvarint(serverProfile)
	w.uvarint(p.Rows)
	w.uvarint(p.Blocks)
	w.uvarint(p.Bytes)
	w.bool(p.AppliedLimit)
	w.uvarint(p.RowsBeforeLimit)
	w.bool(p.CalculatedRowsBeforeLimit)
}

func (p *Profile) decode(r *input) {
	*p = Profile{Rows: r.uvarint(), Blocks: r.uvarint(), Bytes: r.uvarint()}
	p.AppliedLimit = r.u8() != 0
	p.RowsBeforeLimit = r.uvarint()
	p.CalculatedRowsBeforeLimit = r.u8() != 0
}
