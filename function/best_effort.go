package function

import (
	"dictsvc/column"
	"dictsvc/errcode"
)

func bestEffortFunctions() []Function {
	var list []Function
	for _, name := range []string{"parseDateTimeBestEffort", "parseDateTime32BestEffort"} {
		list = append(list, bestEffort(name, false)...)
	}
	return append(list, bestEffort("parseDateTime64BestEffort", true)...)
}

func bestEffort(name string, wide bool) []Function {
	high := 2
	if wide {
		high = 3
	}
	return []Function{
		{Name: name, MinArgs: 1, MaxArgs: high, Bind: bindBestEffort(name, wide, onBadThrow)},
		{Name: name + "OrNull", MinArgs: 1, MaxArgs: high, Bind: bindBestEffort(name+"OrNull", wide, onBadNull)},
		{Name: name + "OrZero", MinArgs: 1, MaxArgs: high, Bind: bindBestEffort(name+"OrZero", wide, onBadDefault)},
	}
}

// bindBestEffort reads dates and times in many spellings: parseDateTimeBestEffort(s[, zone]), and with a precision parseDateTime64BestEffort(s[, precision[, zone]]).
func bindBestEffort(name string, wide bool, bad onBad) func(env *Env, args []Arg) (*Bound, error) {
	return func(_ *Env, args []Arg) (*Bound, error) {
		if !isText(args[0].Type) {
			return nil, illegalType(name, args[0].Type)
		}
		scale, zoneArg := int64(0), 1
		if wide {
			scale, zoneArg = 3, 2
			if len(args) > 1 {
				n, ok := constInt(args[1])
				if !ok || n < 0 || n > 9 {
					return nil, errcode.New(errcode.IllegalTypeOfArgument, "The second argument of function %s must be a constant precision from 0 to 9", name)
				}
				scale = n
			}
		}
		zone, err := zoneText(name, args, zoneArg)
		if err != nil {
			return nil, err
		}
		t := column.Of(column.DateTime)
		switch {
		case wide && scale > 0:
			t, err = column.NewDateTime64(int(scale), zone)
		case zone != "":
			t, err = column.NewDateTime(zone)
		}
		if err != nil {
			return nil, err
		}
		unit := ipow10(int(scale))
		return bindAddress(t, bad, func(call *Call, nulls []uint8) (column.Column, error) {
			s := newStrs(call.Args[0])
			out := make([]int64, call.Rows)
			for i := range out {
				m, ok := column.ParseBestEffort(s.at(i), t.Location())
				if !ok {
					if bad == onBadThrow {
						return nil, errcode.New(errcode.CannotParseDatetime, "Cannot read DateTime: unexpected word or character in '%s'", clipText(s.at(i)))
					}
					nulls[i] = 1
					continue
				}
				out[i] = m.Seconds*unit + int64(m.Nanos)/(1e9/unit)
			}
			return numCut(t, out), nil
		})
	}
}
