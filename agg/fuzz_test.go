package agg

import (
	"testing"

	"dictsvc/column"
)

// fuzzed binds every function of the registry to arguments that it takes, as far as one of a few lists of types suits it.
func fuzzed(t testing.TB) []*Function {
	lists := [][]string{{"UInt64"}, {"Float64"}, {"String"}, {"Nullable(Int32)"}, {"UInt64", "UInt64"}, {"Decimal(30, 2)"}, {"Array(UInt64)"}, {"Float32"},
		{"Map(String, UInt64)"}, {"UInt8", "UInt8"}, {"Tuple(Array(UInt8), Array(UInt64))"}, {"Array(UInt8)", "Array(UInt64)"}, {"DateTime", "UInt8"}, {"IPv6"}, {"UUID"}, {"DateTime64(3, 'UTC')"},
		{"Int128"}, {"UInt256"}, {"Nullable(Decimal(9, 2))"}, {"FixedString(2)"}, {"String", "Int32"}, {"Tuple(Nullable(UInt8), Float64)"}, {"Array(Nullable(Int64))"},
		{"Array(IPv6)", "Array(UInt8)"}, {"Map(IPv6, Int32)"}, {"Float64", "Float64"}, {"Array(UInt64)", "UInt8"}, {}}
	params := [][]column.Column{nil, {column.UInt64s(3)}, {column.Float64s(0.5)}}
	var out []*Function
	combined := []string{"sumIf", "uniqExactIf", "groupUniqArrayArray", "sumDistinct", "groupArrayDistinct", "countDistinct", "sumForEach", "maxForEach", "maxArgMin", "sumArgMax", "avgOrNull",
		"uniqOrDefault", "sumMap", "minMap", "maxMap", "anyMap", "uniqExactMap", "sumTuple", "uniqExactArray", "argMinIf", "groupConcatDistinct", "quantileExactIf"}
	for _, name := range append(Names(), combined...) {
		for _, list := range lists {
			types := make([]*column.Type, len(list))
			for i, n := range list {
				types[i] = column.MustParse(n)
			}
			for _, p := range params {
				if f, err := Bind(name, p, types, false); err == nil && f.NewStates != nil {
					out = append(out, f)
					break
				}
			}
		}
	}
	return out
}

// FuzzLoad: whatever bytes a state is read from, reading ends in an error or in a state that can be saved, merged and finished, and that reads back from what it saves.
func FuzzLoad(f *testing.F) {
	functions := fuzzed(f)
	for i, fn := range functions {
		s := fn.NewStates()
		s.Grow(1)
		f.Add(uint16(i), s.Save(nil, 0))
		f.Add(uint16(i), []byte{1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		f.Add(uint16(i), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
		f.Add(uint16(i), []byte{3, 1, 1, 1})
	}
	f.Fuzz(func(t *testing.T, which uint16, data []byte) {
		fn := functions[int(which)%len(functions)]
		s := fn.NewStates()
		s.Grow(2)
		r := column.NewStateReader(data)
		if err := s.Load(r, 0); err != nil || r.Err() != nil {
			return
		}
		saved := s.Save(nil, 0)
		again := fn.NewStates()
		again.Grow(1)
		if err := again.Load(column.NewStateReader(saved), 0); err != nil {
			t.Fatalf("%s: what was saved does not read back: %v", fn.Name, err)
		}
		if err := s.Merge(again, nil, []uint32{1}); err != nil {
			return
		}
		if _, err := s.Result(0, 2); err != nil {
			return
		}
		s.Bytes()
	})
}
