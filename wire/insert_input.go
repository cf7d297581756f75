package wire

import (
	"context"
	"errors"
	"io"

	"dictsvc/column"
	"dictsvc/errcode"
)

// insertInput reads the blocks of an INSERT from the connection while its query runs.
type insertInput struct {
	c         *conn
	requested bool // the client has been asked for rows
	owner     bool // conn.in is ours: the watcher is paused
	ended     bool // the empty block has come
	err       error
	unhook    func() bool
	hooked    chan struct{} // closed when the hook has run
}

// Next returns the next block with rows, io.EOF after the last. A cancelled query ends with the context's error.
func (i *insertInput) Next(ctx context.Context) (*column.Block, error) {
	if !i.requested {
		return nil, errcode.New(errcode.NoDataToInsert, "No data to insert: the query has not asked its client for rows")
	}
	for {
		switch {
		case i.ended:
			return nil, io.EOF
		case i.err != nil:
			return nil, i.err
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		i.own(ctx)
		b, err := i.packet()
		switch {
		case err != nil && ctx.Err() != nil && errors.Is(err, errInterrupted):
			i.c.in.err = nil // nothing of the packet has been read
			return nil, context.Cause(ctx)
		case err != nil:
			i.err = err
			return nil, err
		case b != nil && b.Rows > 0:
			return b, nil
		}
	}
}

// own takes conn.in from the watcher and lets ctx interrupt reads.
func (i *insertInput) own(ctx context.Context) {
	if i.owner {
		return
	}
	i.owner = true
	i.c.watch.pause()
	done := make(chan struct{})
	i.hooked = done
	i.unhook = context.AfterFunc(ctx, func() {
		i.c.sock.interrupt()
		close(done)
	})
}

// packet reads one packet: a block, or nil at the end (ended is set) and at a block without columns.
func (i *insertInput) packet() (*column.Block, error) {
	c := i.c
	c.sock.expect(readPacket)
	c.in.budget(0)
	if !c.in.fill() {
		if errors.Is(c.in.err, errInterrupted) {
			return nil, c.in.err
		}
		return nil, i.whole(c.in.err)
	}
	switch id := c.in.uvarint(); {
	case c.in.err != nil:
		return nil, i.whole(c.in.err)
	case id == clientCancel:
		i.ended = true
		c.watch.stopQuery()
		return nil, nil
	case id != clientData:
		return nil, errcode.New(errcode.UnexpectedPacketFromClient, "Unexpected packet %d from client: want the data of an INSERT", id)
	}
	b, _, err := c.readData(c.query.Compressed)
	if err != nil {
		return nil, i.whole(err)
	}
	if b == nil {
		i.ended = true
		i.release()
	}
	return b, nil
}

// whole marks an error after which the connection cannot go on: its end must not read as that of the rows, nor an interrupt in the middle of
// a packet as one between two.
func (i *insertInput) whole(err error) error {
	if errors.Is(err, errInterrupted) || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// release gives conn.in back to the watcher.
func (i *insertInput) release() {
	if !i.owner {
		return
	}
	i.owner = false
	if !i.unhook() { // it has run or is running
		<-i.hooked
		i.c.resumeReads()
	}
	i.c.watch.resume()
}

// drain reads and drops what is left, after a query that succeeded without reading to the end.
func (i *insertInput) drain(ctx context.Context) error {
	for {
		if _, err := i.Next(ctx); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// close ends the reading of a query.
func (i *insertInput) close() { i.release() }
