package function

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"dictsvc/column"
	"dictsvc/errcode"
)

// samples are values of every type, with the extremes among them, as expressions.
var samples = []string{
	"0", "1", "255", "-1", "65536", "18446744073709551615", "toInt64(-9223372036854775808)", "toInt8(-128)", "1.5", "-0.0", "0/0", "1/0", "1e300", "toFloat32(1.5)",
	"toInt128(-5)", "toUInt256(7)", "true", "''", "'a'", "'2024-02-29 12:34:56'", "'%a_'", "'[1,2]'", "'{\"a\":1}'", "unhex('ff80')", "'day'", "'UInt8'", "'Array(String)'", "'Asia/Tokyo'",
	"toFixedString('ab', 3)", "NULL", "toNullable(1)", "toNullable('x')", "toLowCardinality('a')", "toLowCardinality(toNullable('a'))", "materialize('m')", "materialize(3)",
	"toDate('2024-02-29')", "toDate32('1900-01-01')", "toDateTime('2024-02-29 12:34:56')", "toDateTime64('2024-02-29 12:34:56.789', 3)", "toDateTime('2024-03-31 02:30:00', 'Europe/Berlin')",
	"toDecimal32(1.5, 2)", "toDecimal64(-1.5, 10)", "toDecimal128(7, 30)", "toDecimal256(-1, 70)", "toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", "toIPv4('1.2.3.4')", "toIPv6('::1')",
	"CAST('a', 'Enum8(\\'a\\' = 1)')", "toIntervalDay(3)", "toIntervalMonth(-1)", "[]", "[1, 2]", "[NULL, 1]", "['a', 'b']", "[[1], []]", "[(1, 'a')]", "(1, 'a')", "tuple()", "(1, NULL)",
	"map('a', 1)", "map()", "[toLowCardinality('a')]", "emptyArrayUInt8()",
}

// TestNothingPanics calls every function with random arguments of all types, constant and written out, and with no rows: each call must
// give a column of the promised type and length, or ClickHouse's error.
func TestNothingPanics(t *testing.T) {
	values := map[string]column.Column{}
	for _, s := range samples {
		c, err := evalColumn(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		values[s] = c
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range Names() {
		f, _ := Lookup(n.Name)
		if n.AliasTo != "" || strings.HasPrefix(f.Name, "sleep") {
			continue
		}
		tries := 60
		if f.MaxArgs == 1 {
			tries = len(samples) * 2
		}
		for k := 0; k < tries; k++ {
			high := f.MaxArgs
			if high < 0 || high > f.MinArgs+2 {
				high = f.MinArgs + 2
			}
			args := make([]string, f.MinArgs+rng.IntN(high-f.MinArgs+1))
			for i := range args {
				args[i] = samples[rng.IntN(len(samples))]
			}
			if f.MaxArgs == 1 && len(args) == 1 {
				args[0] = samples[k%len(samples)]
			}
			tryCall(t, f, args, values)
		}
	}
}

func evalColumn(text string) (column.Column, error) {
	_, _, err := evalText(text, asConst)
	if err != nil {
		return nil, err
	}
	return evalOne(text)
}

func tryCall(t *testing.T, f *Function, names []string, values map[string]column.Column) {
	t.Helper()
	text := f.Name + "(" + strings.Join(names, ", ") + ")"
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: panic: %v\n%s", text, r, shortStack())
		}
	}()
	args := make([]Arg, len(names))
	for i, n := range names {
		args[i] = Arg{Type: values[n].Type()}
		if !strings.HasPrefix(n, "materialize") {
			args[i].Const = values[n]
		}
	}
	b, err := Bind(testEnv, f, args)
	if err != nil {
		checkCode(t, text, err)
		return
	}
	for _, rows := range []int{0, 1, 3} {
		for _, full := range []bool{false, true} {
			call := &Call{Rows: rows, Env: testEnv, Args: make([]column.Column, len(names)), Lambdas: make([]LambdaCall, len(names))}
			for i, n := range names {
				k := column.NewConst(values[n], rows)
				if call.Args[i] = k; full || args[i].Const == nil {
					call.Args[i] = k.Expand()
				}
			}
			res, err := b.Exec(call)
			if err != nil {
				checkCode(t, text, err)
				continue
			}
			if !res.Type().Equal(b.Type) || res.Len() != rows {
				t.Errorf("%s: want %s of %d rows, got %s of %d", text, b.Type, rows, res.Type(), res.Len())
			}
		}
	}
}

func checkCode(t *testing.T, text string, err error) {
	t.Helper()
	var e *errcode.Error
	if !errors.As(err, &e) || e.Code == 0 || e.Code == errcode.LogicalError {
		t.Errorf("%s: error without a code: %v", text, err)
	}
}

func shortStack() string {
	var out []string
	for _, l := range strings.Split(string(debug.Stack()), "\n") {
		if strings.Contains(l, "/function/") && !strings.Contains(l, "_test.go") {
			out = append(out, strings.TrimSpace(l))
		}
	}
	return fmt.Sprint(strings.Join(out[:min(len(out), 3)], "\n"))
}
