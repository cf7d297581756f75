package wire

import "dictsvc/errcode"

// The interfaces whose queries carry fields of their own.
const (
	interfaceTCP  = 1
	interfaceHTTP = 2
)

func (c *ClientInfo) encode(w *output, revision uint64) {
	w.u8(uint8(c.Kind))
	if c.Kind == KindNone {
		return
	}
	w.str(c.InitialUser)
	w.str(c.InitialQueryID)
	w.str(c.InitialAddress)
	if FeatureInitialStartTime.In(revision) {
		w.u64(uint64(c.StartTimeUS))
	}
	w.u8(c.Interface)
	switch c.Interface {
	case interfaceTCP:
		w.str(c.OSUser)
		w.str(c.Hostname)
		w.str(c.ClientName)
		w.uvarint(c.Major)
		w.uvarint(c.Minor)
		w.uvarint(c.Revision)
	case interfaceHTTP:
		w.u8(c.HTTPMethod)
		w.str(c.UserAgent)
		if FeatureForwardedFor.In(revision) {
			w.str(c.ForwardedFor)
		}
		if FeatureReferer.In(revision) {
			w.str(c.Referer)
		}
	}
	if FeatureQuotaKeyInInfo.In(revision) {
		w.str(c.QuotaKey)
	}
	if FeatureDistributedDepth.In(revision) {
		w.uvarint(c.DistributedDepth)
	}
	if FeatureVersionPatch.In(revision) && c.Interface == interfaceTCP {
		w.uvarint(c.Patch)
	}
	if FeatureOpenTelemetry.In(revision) {
		c.Trace.encode(w)
	}
	if FeatureParallelReplicas.In(revision) {
		w.uvarint(c.CollaborateWithInitiator)
		w.uvarint(c.ReplicaCount)
		w.uvarint(c.ReplicaNumber)
	}
}

func (t *Trace) encode(w *output) {
	w.bool(t.Set)
	if !t.Set {
		return
	}
	w.raw(t.TraceID[:])
	w.raw(t.SpanID[:])
	w.str(t.State)
	w.u8(t.Flags)
}

// decode reads what a client says of a query's origin; names that come with every query are kept once by words.
func (c *ClientInfo) decode(r *input, revision uint64, l *Limits, words *words) {
	*c = ClientInfo{Kind: QueryKind(r.u8())}
	if c.Kind == KindNone || r.err != nil {
		return
	}
	if c.Kind > KindSecondary {
		r.fail(errcode.New(errcode.IncorrectData, "Unknown kind of query: %d", c.Kind))
		return
	}
	c.InitialUser = words.read(r, "Initial user", l.MaxString)
	c.InitialQueryID = r.str("Initial query id", l.MaxString)
	c.InitialAddress = words.read(r, "Initial address", l.MaxString)
	if FeatureInitialStartTime.In(revision) {
		c.StartTimeUS = int64(r.u64())
	}
	c.Interface = r.u8()
	switch c.Interface {
	case interfaceTCP:
		c.OSUser = words.read(r, "User of the operating system", l.MaxString)
		c.Hostname = words.read(r, "Client's host name", l.MaxString)
		c.ClientName = words.read(r, "Client name", l.MaxString)
		c.Major = r.uvarint()
		c.Minor = r.uvarint()
		c.Revision = r.uvarint()
	case interfaceHTTP:
		c.HTTPMethod = r.u8()
		c.UserAgent = words.read(r, "HTTP user agent", l.MaxString)
		if FeatureForwardedFor.In(revision) {
			c.ForwardedFor = words.read(r, "HTTP Forwarded", l.MaxString)
		}
		if FeatureReferer.In(revision) {
			c.Referer = words.read(r, "HTTP referer", l.MaxString)
		}
	}
	if FeatureQuotaKeyInInfo.In(revision) {
		c.QuotaKey = words.read(r, "Quota key", l.MaxString)
	}
	if FeatureDistributedDepth.In(revision) {
		c.DistributedDepth = r.uvarint()
	}
	if FeatureVersionPatch.In(revision) && c.Interface == interfaceTCP {
		c.Patch = r.uvarint()
	}
	if FeatureOpenTelemetry.In(revision) {
		c.Trace.decode(r, l)
	}
	if FeatureParallelReplicas.In(revision) {
		c.CollaborateWithInitiator = r.uvarint()
		c.ReplicaCount = r.uvarint()
		c.ReplicaNumber = r.uvarint()
	}
}

func (t *Trace) decode(r *input, l *Limits) {
	switch has := r.u8(); {
	case r.err != nil || has == 0:
		return
	case has > 1:
		r.fail(errcode.New(errcode.IncorrectData, "OpenTelemetry flag: want 0 or 1, got %d", has))
		return
	}
	t.Set = true
	r.full(t.TraceID[:])
	r.full(t.SpanID[:])
	t.State = r.str("Trace state", l.MaxString)
	t.Flags = r.u8()
}

// words keeps strings that come again and again on one connection, so that each is allocated once.
type words struct {
	seen    map[string]string
	scratch []byte
}

// What words may hold; names of settings and clients are few and short.
const (
	maxWords   = 512
	maxWordLen = 128
)

// read reads a String that is likely to have come before.
func (k *words) read(r *input, what string, limit int) string {
	b := r.bytes(what, limit, &k.scratch)
	if len(b) == 0 {
		return ""
	}
	if s, ok := k.seen[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(b) <= maxWordLen && len(k.seen) < maxWords {
		if k.seen == nil {
			k.seen = map[string]string{}
		}
		k.seen[s] = s
	}
	return s
}
