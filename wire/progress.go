package wire

func (p *Progress) encode(w *output, revision uint64) {
	w.uvarint(serverProgress)
	w.uvarint(p.Rows)
	w.uvarint(p.Bytes)
	w.uvarint(p.TotalRows)
	if FeatureWrittenProgress.In(revision) {
		w.uvarint(p.WrittenRows)
		w.uvarint(p.WrittenBytes)
	}
	if FeatureProgressElapsed.In(revision) {
		w.uvarint(p.ElapsedNS)
	}
}

func (p *Progress) decode(r *input, revision uint64) {
	*p = Progress{Rows: r.uvarint(), Bytes: r.uvarint(), TotalRows: r.uvarint()}
	if FeatureWrittenProgress.In(revision) {
		p.WrittenRows = r.uvarint()
		p.WrittenBytes = r.uvarint()
	}
	if FeatureProgressElapsed.In(revision) {
		p.ElapsedNS = r.uvarint()
	}
}

// add sums two reports.
func (p *Progress) add(o Progress) {
	p.Rows += o.Rows
	p.Bytes += o.Bytes
	p.TotalRows += o.TotalRows
	p.WrittenRows += o.WrittenRows
	p.WrittenBytes += o.WrittenBytes
	p.ElapsedNS += o.ElapsedNS
}
