package wire

import (
	"context"
	"io"

	"dictsvc/column"
	"dictsvc/errcode"
)

// Insert is an INSERT under way: blocks of rows go to the server until Close.
type Insert struct {
	rows   *Rows
	header *column.Block
}

// Insert sends an INSERT query without data and waits for the server to say which columns it wants.
func (c *Client) Insert(ctx context.Context, req *Request) (*Insert, error) {
	rows, err := c.send(ctx, req)
	if err != nil {
		return nil, err
	}
	header, err := rows.receive()
	switch {
	case err == io.EOF:
		return nil, errcode.New(errcode.UnexpectedPacketFromServer, "%s: the query does not take data: %.100s", c.addr, req.SQL)
	case err != nil:
		return nil, err
	}
	return &Insert{rows: rows, header: header}, nil
}

// Header has the names and types of the columns wanted, in order.
func (i *Insert) Header() *column.Block { return i.header }

// Write sends a block with the header's columns. An error of the server shows at Close, or here once the connection is closed.
func (i *Insert) Write(b *column.Block) error {
	c := i.rows.c
	if i.rows.err != nil {
		return i.rows.err
	}
	if b.Rows == 0 {
		return nil
	}
	c.data("", b, true)
	if c.out.err != nil {
		return i.refused(c.out.err)
	}
	return nil
}

// refused looks for the exception that a server sends before it closes the connection on a writing client.
func (i *Insert) refused(err error) error {
	for i.rows.err == nil {
		i.rows.receive()
	}
	if errcode.Of(i.rows.err) != errcode.NetworkError {
		return i.rows.err
	}
	return i.rows.c.explain(i.rows.ctx, err)
}

// Close tells the server that all rows are sent and waits until it has taken them.
func (i *Insert) Close() error {
	c := i.rows.c
	if i.rows.err != nil {
		return eofIsNil(i.rows.err)
	}
	c.data("", nil, false)
	if c.out.spill(); c.out.err != nil {
		return i.refused(c.out.err)
	}
	for {
		if _, err := i.rows.receive(); err != nil {
			return eofIsNil(err)
		}
	}
}

// Abort gives the INSERT up; the server keeps what it has taken so far, and the connection is closed.
func (i *Insert) Abort() {
	if i.rows.err == nil {
		i.rows.fail(errcode.New(errcode.QueryWasCancelled, "INSERT aborted"))
	}
}

func eofIsNil(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
