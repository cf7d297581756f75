package wire

import (
	"dictsvc/errcode"
)

// clientHelloPacket is the first packet of a connection, without its id.
type clientHelloPacket struct {
	Name         string
	Major, Minor uint64
	Revision     uint64
	Database     string
	User         string
	Password     string
}

func (h *clientHelloPacket) encode(w *output) {
	w.uvarint(clientHello)
	w.str(h.Name)
	w.uvarint(h.Major)
	w.uvarint(h.Minor)
	w.uvarint(h.Revision)
	w.str(h.Database)
	w.str(h.User)
	w.str(h.Password)
}

func (h *clientHelloPacket) decode(r *input, l *Limits) error {
	h.Name = r.str("Client name", l.MaxHelloString)
	h.Major = r.uvarint()
	h.Minor = r.uvarint()
	h.Revision = r.uvarint()
	h.Database = r.str("Database name", l.MaxHelloString)
	h.User = r.str("User name", l.MaxHelloString)
	h.Password = r.str("Password", l.MaxHelloString)
	if r.err == nil && h.User == interserverUserName {
		return errcode.New(errcode.AuthenticationFailed, "Interserver authentication by a shared secret is not supported: leave <secret> out of the cluster's definition")
	}
	if r.err == nil && h.Revision < MinRevision {
		return errcode.New(errcode.NotImplemented, "Client's protocol revision %d is too old: want at least %d", h.Revision, MinRevision)
	}
	return r.err
}

// ServerInfo is what a server says of itself in its Hello.
type ServerInfo struct {
	Name         string
	Major, Minor uint64
	Patch        uint64
	Revision     uint64 // as claimed by the server
	Timezone     string // an IANA name
	DisplayName  string
}

// encode writes the packet for a client of the given revision, which may be above the server's: ch-go reads what its own revision has.
func (h *ServerInfo) encode(w *output, clientRevision uint64) {
	w.uvarint(serverHello)
	w.str(h.Name)
	w.uvarint(h.Major)
	w.uvarint(h.Minor)
	w.uvarint(h.Revision)
	if FeatureServerTimezone.In(clientRevision) {
		w.str(h.Timezone)
	}
	if FeatureDisplayName.In(clientRevision) {
		w.str(h.DisplayName)
	}
	if FeatureVersionPatch.In(clientRevision) {
		w.uvarint(h.Patch)
	}
}

// decode reads the packet without its id; what it holds goes by the smaller revision.
func (h *ServerInfo) decode(r *input, ours uint64, l *Limits) error {
	h.Name = r.str("Server name", l.MaxHelloString)
	h.Major = r.uvarint()
	h.Minor = r.uvarint()
	h.Revision = r.uvarint()
	revision := min(h.Revision, ours)
	if FeatureServerTimezone.In(revision) {
		h.Timezone = r.str("Time zone", l.MaxHelloString)
	}
	if FeatureDisplayName.In(revision) {
		h.DisplayName = r.str("Display name", l.MaxHelloString)
	}
	h.Patch = h.Revision
	if FeatureVersionPatch.In(revision) {
		h.Patch = r.uvarint()
	}
	if r.err == nil && h.Revision < MinRevision {
		return errcode.New(errcode.NotImplemented, "Server's protocol revision %d is too old: want at least %d", h.Revision, MinRevision)
	}
	return r.err
}

// The addendum follows the handshake without a packet id: the quota key.
func readAddendum(r *input, l *Limits) string { return r.str("Quota key", l.MaxHelloString) }
