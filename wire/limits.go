package wire

import "time"

// Limits bounds what one peer may cost. The zero value of a field takes the default named beside it.
type Limits struct {
	MaxConnections   int           // 4096; further ones are refused with NO_FREE_CONNECTION
	HandshakeTimeout time.Duration // 10 s from accept to the end of the handshake
	IdleTimeout      time.Duration // 1 h between queries
	ReceiveTimeout   time.Duration // 5 min for a packet to arrive, and 1 s more for each 4 KiB of it
	SendTimeout      time.Duration // 5 min for a client to take what is sent to it
	MaxHelloString   int           // 64 KiB for every string before login
	MaxString        int           // 1 MiB for names, settings, parameters and the like
	MaxQuerySize     int           // 1 GiB for the text of a query; max_query_size is the Handler's
	MaxColumns       int           // 65,536 columns in a block
	MaxRows          int           // 2^31 rows in a block
	MaxBlockBytes    int           // 1 GiB for one block
	MaxExternalBytes int           // 1 GiB for all external tables of a query
	MaxSettings      int           // 16,384 settings or parameters in a query, external tables, tables asked for
}

// receiveRate is the number of bytes of a packet that earn its sender one more second.
const receiveRate = 4 << 10

func (l Limits) withDefaults() Limits {
	def := func(p *int, n int) {
		if *p <= 0 {
			*p = n
		}
	}
	defTime := func(p *time.Duration, d time.Duration) {
		if *p <= 0 {
			*p = d
		}
	}
	def(&l.MaxConnections, 4096)
	def(&l.MaxHelloString, 64<<10)
	def(&l.MaxString, 1<<20)
	def(&l.MaxQuerySize, 1<<30)
	def(&l.MaxColumns, 1<<16)
	def(&l.MaxRows, 1<<31)
	def(&l.MaxBlockBytes, 1<<30)
	def(&l.MaxExternalBytes, 1<<30)
	def(&l.MaxSettings, 1<<14)
	defTime(&l.HandshakeTimeout, 10*time.Second)
	defTime(&l.IdleTimeout, time.Hour)
	defTime(&l.ReceiveTimeout, 5*time.Minute)
	defTime(&l.SendTimeout, 5*time.Minute)
	return l
}
