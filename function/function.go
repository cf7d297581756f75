// Package function holds the scalar functions of SQL: a registry in which one function is one line plus its
// kernel. It stands apart from query so that the functions need nothing of planning, and query nothing of
// their kernels.
//
// A function is bound once for the types of its arguments (Bind), which picks the result type and a kernel
// for just those types, and is then run over whole columns (Exec): no type is looked at a row.
package function

import (
	"context"
	"time"

	"dictsvc/column"
)

// Env is what functions may ask of the query they run in.
type Env struct {
	Ctx      context.Context
	Now      time.Time                // the query's start: now(), today()
	Settings func(name string) string // "" where unset
	// SettingType is a setting's type in system.settings; nil where none is known.
	SettingType func(name string) string
	Database    string
	User        string
	QueryID     string
	// Stop is the reason why the query must end, nil where it may go on; without it the context is asked.
	Stop func() error
	// Reserve counts memory of the query, bytes below 0 give it back; error 241 where there is no more. nil: memory is not counted.
	Reserve func(bytes int) error
}

// Arg is one argument as Bind sees it.
type Arg struct {
	Type   *column.Type
	Const  column.Column // the one row of a constant argument, nil otherwise
	Lambda Lambda        // set for an x -> ... argument (Type.Kind is column.Lambda)
	Name   string        // the argument's text, for messages
}

// Lambda is an x -> ... argument at bind time.
type Lambda interface {
	Arity() int
	// Bind fixes the parameters' types and returns the type of the body. It is called once, by the function's Bind.
	Bind(params []*column.Type) (*column.Type, error)
}

// LambdaCall runs a bound lambda over the flat elements of arrays: params are the parameters' columns; offsets are the arrays' end offsets, by
// which the columns that the lambda captured are repeated.
type LambdaCall func(offsets []uint64, params ...column.Column) (column.Column, error)

// Call is one execution over a block.
type Call struct {
	Args    []column.Column // Const columns stay Const; a lambda's place holds nil
	Lambdas []LambdaCall    // parallel to Args; nil except for lambda arguments
	Rows    int
	Env     *Env
	// Scratch is memory for the result and what leads to it, where they live no longer than the block; nil: the collector's. A function never keeps
	// what it makes there for another call.
	Scratch *column.Scratch
	// Room is the most that the call may Hold, 0 for no bound but the query's: who runs it can do so again with fewer rows.
	Room int

	meter *meter
}

// LazyArg evaluates one argument for the rows whose keep byte is not 0 (n of them; keep nil: all rows) and returns a column of just those n rows.
type LazyArg func(keep []uint8, n int) (column.Column, error)

// LazyCall is one execution of a function that decides itself which arguments are needed for which rows (if, multiIf, and, or, dictGetOrDefault).
type LazyCall struct {
	Args    []LazyArg
	Rows    int
	Env     *Env
	Scratch *column.Scratch // as in Call
}

// Bound is a function chosen for its argument types.
type Bound struct {
	Type *column.Type
	// Exec computes the result column of call.Rows rows, or a Const of that length.
	Exec func(call *Call) (column.Column, error)
	// Value, where set, is the one row that the result is whatever the arguments' values are (toTypeName, isNull of what is not Nullable).
	Value column.Column
	// ExecLazy, where set, is used instead of Exec when short-circuit evaluation is on.
	ExecLazy func(call *LazyCall) (column.Column, error)
}

// Flags say how the registry wraps a function. The zero value is right for most: NULL in any argument gives NULL, constants
// are computed once, LowCardinality is computed on its dictionary.
type Flags uint16

const (
	// OwnNulls: the function sees Nullable columns itself (isNull, if, coalesce, toString of arrays, ...).
	OwnNulls Flags = 1 << iota
	// OwnConst: do not compute once for constant arguments (materialize, rowNumberInBlock, ...).
	OwnConst
	// OwnLowCardinality: the function sees LowCardinality columns itself.
	OwnLowCardinality
	// NotDeterministic: never folded at planning (now is folded, rand is not).
	NotDeterministic
	// PlainResult: the result is not LowCardinality, whatever the arguments are.
	PlainResult
	// NullText: a String of a Nullable column that cannot be read gives NULL, as the function's OrNull form has it.
	NullText
	// CaseInsensitive: found in any case, as ClickHouse's SQL-standard names are.
	CaseInsensitive
)

// Function is one entry of the registry.
type Function struct {
	Name    string
	Aliases []string
	MinArgs int
	MaxArgs int // -1: any number
	Flags   Flags
	Bind    func(env *Env, args []Arg) (*Bound, error)
	refused refusal // of FixedString arguments
}
