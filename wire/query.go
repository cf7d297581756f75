package wire

import (
	"dictsvc/errcode"
)

// encode writes the Query packet, without the blocks that follow it.
func (q *Query) encode(w *output, revision uint64) error {
	w.uvarint(clientQuery)
	w.str(q.ID)
	if FeatureClientInfo.In(revision) {
		q.Client.encode(w, revision)
	}
	if err := encodeSettings(w, q.Settings, revision); err != nil {
		return err
	}
	if FeatureInterserverSecret.In(revision) {
		w.str(q.Secret)
	}
	w.uvarint(uint64(q.Stage))
	w.bool(q.Compressed)
	w.str(q.SQL)
	if FeatureParameters.In(revision) {
		encodeParams(w, q.Params)
	} else if len(q.Params) > 0 {
		return errcode.New(errcode.UnknownQueryParameter, "The server's revision %d has no query parameters: want at least %s", revision, FeatureParameters)
	}
	return nil
}

// decode reads the Query packet after its id into q, whose slices are reused.
func (q *Query) decode(r *input, revision uint64, l *Limits, words *words) error {
	*q = Query{Settings: q.Settings[:0], Params: q.Params[:0], Revision: revision}
	q.ID = r.str("Query id", l.MaxString)
	if FeatureClientInfo.In(revision) {
		q.Client.decode(r, revision, l, words)
	}
	q.Settings = decodeSettings(r, q.Settings, revision, l, words)
	if FeatureInterserverSecret.In(revision) {
		q.Secret = r.str("Interserver secret", l.MaxString)
	}
	stage := r.uvarint()
	compression := r.uvarint()
	q.SQL = r.str("Query text", l.MaxQuerySize)
	if FeatureParameters.In(revision) {
		q.Params = decodeParams(r, q.Params, l)
	}
	if r.err != nil {
		return r.err
	}
	if stage > uint64(StageAfterAggregationLimit) {
		return errcode.New(errcode.NotImplemented, "Query processing stage %d is not supported", stage)
	}
	if compression > 1 {
		return errcode.New(errcode.IncorrectData, "Compression flag: want 0 or 1, got %d", compression)
	}
	q.Stage, q.Compressed = Stage(stage), compression == 1
	return nil
}
