package query

import (
	"math/bits"
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
	"dictsvc/sql"
)

// windowFunction is a function that exists over windows only.
type windowFunction struct {
	name      string
	aliases   []string
	exact     bool // the name is known in its own spelling only
	looksBack bool // it needs no rows behind the current one,
	peers     bool // or none behind its peers
	bind      func(w *windowCall, args []*expr) (*column.Type, error)
	run       func(s *segment, r *windowRun) (column.Column, error)
}

// windowFunctions is a function, not a variable, because the bodies lead back to it.
func windowFunctions() []windowFunction {
	return []windowFunction{
		{name: "row_number", looksBack: true, bind: anyArguments, run: rowNumber},
		{name: "rank", looksBack: true, peers: true, bind: noArguments, run: rank},
		{name: "dense_rank", aliases: []string{"denseRank"}, looksBack: true, peers: true, bind: noArguments, run: denseRank},
		{name: "percent_rank", aliases: []string{"percentRank"}, bind: bindWhole, run: percentRank},
		{name: "cume_dist", bind: bindWhole, run: cumeDist},
		{name: "ntile", bind: bindNtile, run: ntile},
		{name: "nth_value", bind: bindNthValue, run: nthValue},
		{name: "lag", bind: bindLagLead, run: lag},
		{name: "lead", bind: bindLagLead, run: lead},
		{name: "lagInFrame", exact: true, bind: bindLagLeadInFrame, run: lagInFrame},
		{name: "leadInFrame", exact: true, bind: bindLagLeadInFrame, run: leadInFrame},
		{name: "nonNegativeDerivative", exact: true, bind: bindDerivative, run: derivative},
		{name: "exponentialTimeDecayedSum", exact: true, bind: bindDecayed, run: decayed},
		{name: "exponentialTimeDecayedAvg", exact: true, bind: bindDecayed, run: decayed},
		{name: "exponentialTimeDecayedCount", exact: true, bind: bindDecayed, run: decayed},
		{name: "exponentialTimeDecayedMax", exact: true, bind: bindDecayed, run: decayed},
	}
}

// findWindowFunction finds a function by its name, nil where it is none of windows only.
func findWindowFunction(name string) *windowFunction {
	list := windowFunctions()
	for i := range list {
		f := &list[i]
		if f.name == name || !f.exact && strings.EqualFold(f.name, name) {
			return f
		}
		for _, a := range f.aliases {
			if strings.EqualFold(a, name) {
				return f
			}
		}
	}
	return nil
}

func noParameters(w *windowCall) error {
	if len(w.params) > 0 {
		return errcode.New(errcode.BadArguments, "Function %s cannot be parameterized", w.fn.name)
	}
	return nil
}

func anyArguments(w *windowCall, _ []*expr) (*column.Type, error) {
	return column.Of(column.UInt64), noParameters(w)
}

func noArguments(w *windowCall, args []*expr) (*column.Type, error) {
	if err := noParameters(w); err != nil {
		return nil, err
	}
	if len(args) > 0 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Number of arguments for window function %s doesn't match: passed %d, should be 0", w.fn.name, len(args))
	}
	return column.Of(column.UInt64), nil
}

// bindWhole is for functions that look at all of their partition, which is what their frame must be.
func bindWhole(w *windowCall, _ []*expr) (*column.Type, error) {
	if err := noParameters(w); err != nil {
		return nil, err
	}
	if f := &w.frame; f.given && (!f.full() || f.unit != sql.FrameRange) {
		return nil, errcode.New(errcode.BadArguments, "Unsupported window frame type for function '%s'", w.fn.name)
	}
	return column.Of(column.Float64), nil
}

func bindNtile(w *windowCall, args []*expr) (*column.Type, error) {
	if err := noParameters(w); err != nil {
		return nil, err
	}
	if len(args) != 1 {
		return nil, errcode.New(errcode.NumberOfArgumentsDoesntMatch, "Function ntile takes exactly one argument")
	}
	if t := args[0].typ; !t.IsUnsigned() || t.FixedWidth() > 8 || t.Kind == column.Bool {
		return nil, errcode.New(errcode.BadArguments, "'ntile' argument type must be an unsigned integer (not larger than 64-bit), got %s", t)
	}
	if w.frame.given && !w.frame.full() || len(w.spec.order) == 0 {
		return nil, errcode.New(errcode.BadArguments, "Unsupported window frame type for function 'ntile'")
	}
	return column.Of(column.UInt64), nil
}

func rowNumber(s *segment, _ *windowRun) (column.Column, error) {
	out := make([]uint64, s.rows)
	s.partitions(func(from, to int) {
		n := s.base(from).rows
		for i := from; i < to; i++ {
			n++
			out[i] = n
		}
	})
	return column.UInt64s(out...), nil
}

func rank(s *segment, _ *windowRun) (column.Column, error) {
	s.findPeers()
	out := make([]uint64, s.rows)
	s.partitions(func(from, to int) {
		base := s.base(from).rows + 1
		for i := from; i < to; i++ {
			out[i] = base + uint64(int(s.peerFrom[i])-from)
		}
	})
	return column.UInt64s(out...), nil
}

func denseRank(s *segment, _ *windowRun) (column.Column, error) {
	s.findPeers()
	out := make([]uint64, s.rows)
	s.partitions(func(from, to int) {
		base := s.base(from).peers + 1
		for i := from; i < to; i++ {
			out[i] = base + uint64(s.group[i])
		}
	})
	return column.UInt64s(out...), nil
}

func percentRank(s *segment, _ *windowRun) (column.Column, error) {
	s.findPeers()
	out := make([]float64, s.rows)
	s.partitions(func(from, to int) {
		if to-from == 1 {
			return
		}
		for i := from; i < to; i++ {
			out[i] = float64(int(s.peerFrom[i])-from) / float64(to-from-1)
		}
	})
	return column.Float64s(out...), nil
}

func cumeDist(s *segment, _ *windowRun) (column.Column, error) {
	s.findPeers()
	out := make([]float64, s.rows)
	s.partitions(func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = float64(int(s.peerTo[i])-from) / float64(to-from)
		}
	})
	return column.Float64s(out...), nil
}

// ntile parts a partition into n buckets, the first ones with a row more where it does not go even.
func ntile(s *segment, r *windowRun) (column.Column, error) {
	if r.args[0].val == nil {
		return nil, errcode.New(errcode.BadArguments, "Argument of 'ntile' function must be a constant")
	}
	c, err := column.Cast(r.args[0].val, column.Of(column.UInt64), column.CastPlain)
	if err != nil {
		return nil, err
	}
	n := column.Plain(c).(*column.Num[uint64]).Data[0]
	if n == 0 {
		return nil, errcode.New(errcode.BadArguments, "Argument of 'ntile' function must be greater than zero")
	}
	out := make([]uint64, s.rows)
	s.partitions(func(from, to int) {
		size, longer := bits.Div64(0, uint64(to-from), n)
		bucket, left := uint64(1), size
		if longer > 0 {
			left++
		}
		for i := from; i < to; i++ {
			if left == 0 {
				bucket++
				left = size
				if bucket <= longer {
					left++
				}
			}
			out[i] = bucket
			left--
		}
	})
	return column.UInt64s(out...), nil
}
