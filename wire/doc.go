// Package wire speaks ClickHouse's native TCP protocol in both roles.
//
// The server half (Server) accepts connections, reads packets, and hands logins and queries to a Handler, which knows nothing of packets and
// of which the server knows nothing but that it answers with blocks of columns. The client half (Dial) reads from ClickHouse servers of
// revision 54406 and above and from dictsvc itself.
//
// Every connection speaks the smaller of the two sides' revisions; what changed at which revision is listed in feature.go. A packet's layout is
// in the file that carries its name (hello.go, query.go, progress.go, ...), with its encoder beside its decoder. Columns travel in the Native
// format (native_read.go, native_write.go), in frames (frame.go) where a query asks for compression.
//
// # What a hostile peer can cost
//
// No length from outside is allocated before the bytes it announces have arrived: strings, columns and frames are read in pieces that at most
// double (input.go), under the caps of Limits. A connection owns a fixed few buffers; handshakes, partial packets and unread answers have deadlines.
package wire
