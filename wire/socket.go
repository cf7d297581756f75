package wire

import (
	"errors"
	"net"
	"sync"
	"time"
)

// socket is a connection with deadlines that follow what is being waited for. One goroutine reads at a time; interrupt may come from any.
type socket struct {
	net.Conn
	limits *Limits

	mu          sync.Mutex
	interrupted bool // reads fail until resume

	mode     readMode
	armed    time.Time // when the read deadline of the mode was last set
	start    time.Time // of the packet being read
	sendArms time.Time // when the write deadline was last set
}

// readMode is what a read waits for.
type readMode uint8

const (
	readHandshake readMode = iota // one deadline, set at the start
	readIdle                      // the next query
	readPacket                    // the rest of a packet
	readWatch                     // a sign from the client while its query runs
)

var errInterrupted = errors.New("read interrupted")

// expect tells what the next reads wait for.
func (s *socket) expect(m readMode) {
	if s.mode != m {
		s.mode, s.armed = m, time.Time{}
	}
	s.start = time.Time{}
}

// read reads what has arrived, at least a byte; taken is how many bytes of the packet came before.
func (s *socket) read(p []byte, taken int64) (int, error) {
	if err := s.arm(taken); err != nil {
		return 0, err
	}
	n, err := s.Conn.Read(p)
	if n > 0 {
		return n, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interrupted {
		return 0, errInterrupted
	}
	return 0, err
}

// arm sets the deadline of the next read. Setting one costs more than reading a clock, so one that is nearly as far ahead stays.
func (s *socket) arm(taken int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interrupted {
		return errInterrupted
	}
	if s.mode == readHandshake {
		return nil
	}
	now := time.Now()
	wait := s.limits.IdleTimeout
	switch s.mode {
	case readWatch:
		if s.armed.IsZero() {
			s.armed = now
			return s.SetReadDeadline(time.Time{})
		}
		return nil
	case readPacket:
		if s.start.IsZero() {
			s.start = now
		}
		wait = s.limits.ReceiveTimeout + time.Duration(taken/receiveRate)*time.Second - now.Sub(s.start)
	default:
		if now.Sub(s.armed) < wait/8 {
			return nil
		}
	}
	s.armed = now
	return s.SetReadDeadline(now.Add(wait))
}

// interrupt makes the read that is under way, and all others until resume, fail with errInterrupted.
func (s *socket) interrupt() {
	s.mu.Lock()
	s.interrupted = true
	s.SetReadDeadline(time.Unix(1, 0))
	s.mu.Unlock()
}

// resume takes an interrupt back.
func (s *socket) resume() {
	s.mu.Lock()
	s.interrupted = false
	s.armed = time.Time{}
	s.mu.Unlock()
}

// writePiece is how much may be sent under one deadline.
const writePiece = 1 << 20

// write sends all of p; the other side must take each MiB of it within SendTimeout.
func (s *socket) write(p []byte) error {
	for len(p) > 0 {
		if now := time.Now(); now.Sub(s.sendArms) > s.limits.SendTimeout/8 {
			s.sendArms = now
			if err := s.SetWriteDeadline(now.Add(s.limits.SendTimeout)); err != nil {
				return err
			}
		}
		n, err := s.Conn.Write(p[:min(len(p), writePiece)])
		if err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

// linger lets the other side read an answer to the end before the connection goes: closing with unread input would destroy it on the way.
func (s *socket) linger() {
	if t, ok := s.Conn.(*net.TCPConn); ok {
		t.CloseWrite()
	}
	s.SetReadDeadline(time.Now().Add(time.Second))
	var sink [4096]byte
	for total := 0; total < 1<<20; {
		n, err := s.Conn.Read(sink[:])
		if err != nil {
			return
		}
		total += n
	}
}
