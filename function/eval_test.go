package function

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// shape says how the evaluator of the tests hands constants to the kernels.
type shape int

const (
	asConst   shape = iota // as they are
	asFull                 // written out
	firstFull              // the first argument of each call written out, others constant
	lastFull               // the last argument written out
)

const testRows = 3

var testEnv = &Env{
	Ctx: context.Background(), Now: time.Date(2024, 2, 29, 12, 34, 56, 0, time.UTC), Database: "default", User: "default",
	Settings: func(string) string { return "" },
}

// evaluator runs an expression of constants through Bind and Exec.
type evaluator struct {
	shape  shape
	rows   int
	params map[string]column.Column
	folds  map[column.Column]bool // results of calls with constant arguments only
}

func (e *evaluator) expr(x sql.Expr) (column.Column, error) {
	switch n := x.(type) {
	case *sql.Literal:
		return e.literal(n.Value)
	case *sql.Func:
		return e.call(n.Name, n.Args)
	case *sql.Ident:
		if c, ok := e.params[n.Name()]; ok {
			return c, nil
		}
	}
	return nil, fmt.Errorf("no such expression: %T", x)
}

func (e *evaluator) literal(v sql.Value) (column.Column, error) {
	konst := func(c column.Column) (column.Column, error) { return column.NewConst(c, e.rows), nil }
	switch v.Kind {
	case sql.NullValue:
		one := column.New(nullType, 1)
		one.AppendDefault(1)
		return konst(one)
	case sql.BoolValue:
		return konst(column.NewNum(column.Of(column.Bool), []uint8{uint8(v.UInt64())}))
	case sql.UInt64Value:
		return konst(smallest(v.UInt64()))
	case sql.Int64Value:
		n := v.Int64()
		for _, k := range []column.Kind{column.Int8, column.Int16, column.Int32, column.Int64} {
			if t := column.Of(k); signCut(n, t.FixedWidth()) == n {
				return konst(numCut(t, []int64{n}))
			}
		}
	case sql.Float64Value:
		return konst(column.Float64s(v.Float64()))
	case sql.StringValue:
		return konst(column.Strings(v.Str()))
	}
	args := make([]column.Column, len(v.Items()))
	for i, it := range v.Items() {
		c, err := e.literal(it)
		if err != nil {
			return nil, err
		}
		args[i] = c
	}
	name := "array"
	if v.Kind == sql.TupleValue {
		name = "tuple"
	}
	res, err := e.apply(name, args, nil)
	if err == nil {
		e.folds[res] = true
	}
	return res, err
}

func smallest(u uint64) column.Column {
	for _, k := range []column.Kind{column.UInt8, column.UInt16, column.UInt32, column.UInt64} {
		if t := column.Of(k); t.FixedWidth() == 8 || u>>uint(8*t.FixedWidth()) == 0 {
			return numCut(t, []uint64{u})
		}
	}
	return nil
}

func (e *evaluator) call(name string, args []sql.Expr) (column.Column, error) {
	cols := make([]column.Column, len(args))
	lambdas := make([]*testLambda, len(args))
	for i, a := range args {
		if l, ok := a.(*sql.Lambda); ok {
			lambdas[i] = &testLambda{e: e, l: l}
			continue
		}
		c, err := e.expr(a)
		if err != nil {
			return nil, err
		}
		if e.folds[c] { // a nested call of constants is a constant, whatever shape its own arguments had
			c = column.NewConst(c, e.rows)
		}
		cols[i] = c
	}
	res, err := e.apply(name, cols, lambdas)
	if f, ok := Lookup(name); ok && err == nil && f.Flags&(OwnConst|NotDeterministic) == 0 && allConst(cols) && len(cols) > 0 {
		e.folds[res] = true
	}
	return res, err
}

func (e *evaluator) apply(name string, cols []column.Column, lambdas []*testLambda) (column.Column, error) {
	f, ok := Lookup(name)
	if !ok {
		return nil, errcode.New(errcode.UnknownFunction, "Function with name `%s` does not exist", name)
	}
	args := make([]Arg, len(cols))
	call := &Call{Args: make([]column.Column, len(cols)), Lambdas: make([]LambdaCall, len(cols)), Rows: e.rows, Env: testEnv}
	for i, c := range cols {
		if c == nil {
			args[i] = Arg{Type: column.Of(column.Lambda), Lambda: lambdas[i]}
			call.Lambdas[i] = lambdas[i].run
			continue
		}
		args[i].Type = c.Type()
		if k, ok := c.(*column.Const); ok {
			args[i].Const = k.Val
			if e.shape == asFull || e.shape == firstFull && i == 0 || e.shape == lastFull && i == len(cols)-1 {
				c = k.Expand()
			}
		}
		call.Args[i] = c
	}
	b, err := Bind(testEnv, f, args)
	if err != nil {
		return nil, err
	}
	if b.ExecLazy != nil && e.shape != asConst {
		return b.ExecLazy(&LazyCall{Rows: e.rows, Env: testEnv, Args: lazily(call.Args)})
	}
	res, err := b.Exec(call)
	if err != nil {
		return nil, err
	}
	if !res.Type().Equal(b.Type) {
		return nil, fmt.Errorf("function %s: bound for %s, gave %s", name, b.Type, res.Type())
	}
	if res.Len() != e.rows {
		return nil, fmt.Errorf("function %s: want %d rows, got %d", name, e.rows, res.Len())
	}
	return res, nil
}

func lazily(cols []column.Column) []LazyArg {
	out := make([]LazyArg, len(cols))
	for i, c := range cols {
		out[i] = func(keep []uint8, n int) (column.Column, error) {
			if keep == nil {
				return c, nil
			}
			return c.Filter(keep, n), nil
		}
	}
	return out
}

// testLambda evaluates its body on the elements' columns.
type testLambda struct {
	e *evaluator
	l *sql.Lambda
}

func (l *testLambda) Arity() int { return len(l.l.Params) }

func (l *testLambda) Bind(params []*column.Type) (*column.Type, error) {
	cols := make([]column.Column, len(params))
	for i, t := range params {
		cols[i] = column.New(t, 0)
	}
	res, err := l.eval(0, cols)
	if err != nil {
		return nil, err
	}
	return res.Type(), nil
}

func (l *testLambda) eval(rows int, params []column.Column) (column.Column, error) {
	inner := &evaluator{rows: rows, params: map[string]column.Column{}, folds: map[column.Column]bool{}}
	for i, p := range l.l.Params {
		inner.params[p.Name()] = params[i]
	}
	return inner.expr(l.l.Body)
}

func (l *testLambda) run(_ []uint64, params ...column.Column) (column.Column, error) {
	rows := 0
	if len(params) > 0 {
		rows = params[0].Len()
	}
	return l.eval(rows, params)
}

// evalText evaluates an expression and returns its type and the text of each row.
func evalText(text string, s shape) (string, []string, error) {
	x, err := sql.ParseExpr(text, sql.Options{})
	if err != nil {
		return "", nil, err
	}
	e := &evaluator{shape: s, rows: testRows, folds: map[column.Column]bool{}}
	c, err := e.expr(x)
	if err != nil {
		return "", nil, err
	}
	rows := make([]string, c.Len())
	for i := range rows {
		rows[i] = render(c, i, false)
	}
	return c.Type().String(), rows, nil
}

// evalOne evaluates an expression of constants and returns its one row.
func evalOne(text string) (column.Column, error) {
	x, err := sql.ParseExpr(text, sql.Options{})
	if err != nil {
		return nil, err
	}
	c, err := (&evaluator{rows: 1, folds: map[column.Column]bool{}}).expr(x)
	if err != nil {
		return nil, err
	}
	return column.Full(c), nil
}

// TestRecorded compares every expression of testdata with the type and value (or error code) that ClickHouse 26.7 gave.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded expressions: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { checkFile(t, file) })
	}
}

func checkFile(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		f := strings.SplitN(line, "\t", 3)
		for _, s := range []shape{asConst, asFull, firstFull, lastFull} {
			checkLine(t, f, s)
		}
	}
}

func checkLine(t *testing.T, f []string, s shape) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s (shape %d): panic: %v", f[0], s, r)
		}
	}()
	typ, rows, err := evalText(f[0], s)
	if code, ok := strings.CutPrefix(f[1], "!"); ok {
		if got := fmt.Sprint(int(errcode.Of(err))); got != code {
			t.Errorf("%s (shape %d): want error %s, got %v %v (%v)", f[0], s, code, typ, rows, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s (shape %d): want %s %s, got error %v", f[0], s, f[1], f[2], err)
		return
	}
	if typ != f[1] {
		t.Errorf("%s (shape %d): want type %s, got %s", f[0], s, f[1], typ)
	}
	for i, r := range rows {
		if r != f[2] && f[2] != "*" {
			t.Errorf("%s (shape %d): row %d: want %s, got %s", f[0], s, i, f[2], r)
			return
		}
	}
}
