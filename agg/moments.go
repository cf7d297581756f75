package agg

import (
	"math"

	"dictsvc/column"
)

// Moments: the sums of the powers of values, from which variance, skewness and kurtosis follow. They are Float32 over Float32, Float64 over
// all else. A state is the count, as a float, and the sums. The formulas are ClickHouse's, operation by operation, so that results agree to
// the last bit.

type float interface{ float32 | float64 }

// moments are the count and the sums of the first four powers; functions of fewer powers save fewer.
type moments[F float] [5]F

func (m *moments[F]) population() F {
	if m[0] == 0 {
		return F(column.NaN())
	}
	return notNegative((m[2] - m[1]*m[1]/m[0]) / m[0])
}

func (m *moments[F]) sample() F {
	if m[0] <= 1 {
		return F(column.NaN())
	}
	return notNegative((m[2] - m[1]*m[1]/m[0]) / (m[0] - 1))
}

// notNegative cuts what is below zero by rounding only, as std::max(0, v) does: NaN gives 0.
func notNegative[F float](v F) F {
	if 0 < v {
		return v
	}
	return 0
}

func (m *moments[F]) third() F {
	if m[0] == 1 {
		return 0
	}
	return (m[3] - (3*m[2]-2*m[1]*m[1]/m[0])*m[1]/m[0]) / m[0]
}

func (m *moments[F]) fourth() F {
	if m[0] == 1 {
		return 0
	}
	return (m[4] - (4*m[3]-(6*m[2]-3*m[1]*m[1]/m[0])*m[1]/m[0])*m[1]/m[0]) / m[0]
}

// normalised divides a central moment by a power of the variance.
func normalised[F float](moment, variance F, power func(float64) float64) F {
	if variance > 0 {
		return F(float64(moment) / power(float64(variance)))
	}
	return F(column.NaN())
}

func square(v float64) float64 { return v * v }

// threeHalves is v to the power 1.5, rounded once: what the square root and the product lose is added at the end.
func threeHalves(v float64) float64 {
	if math.IsInf(v, 1) {
		return v
	}
	root := math.Sqrt(v)
	rest := math.FMA(-root, root, v) / (2 * root)
	product := v * root
	return product + (math.FMA(v, root, -product) + v*rest)
}

// momentOf is the function of the moments that a name stands for, and the highest power it needs.
func momentOf[F float](name string) (func(*moments[F]) F, int) {
	switch name {
	case "varPop":
		return (*moments[F]).population, 2
	case "varSamp":
		return (*moments[F]).sample, 2
	case "stddevPop":
		return func(m *moments[F]) F { return F(math.Sqrt(float64(m.population()))) }, 2
	case "stddevSamp":
		return func(m *moments[F]) F { return F(math.Sqrt(float64(m.sample()))) }, 2
	case "skewPop":
		return func(m *moments[F]) F { return normalised(m.third(), m.population(), threeHalves) }, 3
	case "skewSamp":
		return func(m *moments[F]) F { return normalised(m.third(), m.sample(), threeHalves) }, 3
	case "kurtPop":
		return func(m *moments[F]) F { return normalised(m.fourth(), m.population(), square) }, 4
	}
	return func(m *moments[F]) F { return normalised(m.fourth(), m.sample(), square) }, 4 // kurtSamp
}

func bindMoments(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := oneArgument(name, args); err != nil {
		return nil, err
	}
	if !takesNumbers(args[0], true) {
		return nil, illegal(name, args[0])
	}
	if args[0].Kind == column.Float32 {
		return momentFunction[float32](name, column.Of(column.Float32)), nil
	}
	return momentFunction[float64](name, column.Of(column.Float64)), nil
}

func momentFunction[F float](name string, t *column.Type) *Function {
	value, power := momentOf[F](name)
	var f flatOf[moments[F]]
	f.merge = func(into, from *moments[F]) {
		for i := range into {
			into[i] += from[i]
		}
	}
	f.save = func(buf []byte, m *moments[F]) []byte { return append(buf, column.Raw(m[:power+1])...) }
	f.load = func(r *column.StateReader, m *moments[F]) {
		raw := column.Raw(m[:power+1])
		copy(raw, r.Bytes(len(raw)))
	}
	f.result = perState(t, value)
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var buffer floatBuffer[F]
		own.add = func(v []moments[F], groups []uint32, args []column.Column, rows int) error {
			data := buffer.of(args[0], rows)
			switch {
			case groups != nil:
				addMoments(v, groups, data, power)
			case args[0].Type().IsDecimal():
				addMoments(v, make([]uint32, rows), data, power)
			default:
				addMomentsOfOne(&v[0], data, power)
			}
			return nil
		}
		return own.states()
	}}
}

func addMoments[F float](v []moments[F], groups []uint32, data []F, power int) {
	for i, g := range groups {
		x, m := data[i], &v[g]
		m[0]++
		m[1] += x
		m[2] += x * x
		if power > 2 {
			m[3] += x * x * x
			m[4] += x * x * x * x
		}
	}
}

// ClickHouse keeps partial sums of a block that goes to a single state, 128 bytes of each sum; a row belongs to lane row mod lanes.
const maxLanes = 32

func lanesOf[F float]() int { return 128 / sizeOf[F]() }

func addMomentsOfOne[F float](m *moments[F], data []F, power int) {
	var part [4][maxLanes]F
	lanes := lanesOf[F]()
	n := len(data) &^ (lanes - 1)
	for i := 0; i < n; i += lanes {
		d := data[i : i+lanes]
		for j, x := range d {
			j &= maxLanes - 1
			part[0][j] += x
			part[1][j] += x * x
		}
		if power > 2 {
			for j, x := range d {
				j &= maxLanes - 1
				part[2][j] += x * x * x
				part[3][j] += x * x * x * x
			}
		}
	}
	m[0] += F(n)
	for p := range part {
		for _, x := range part[p][:lanes] {
			m[p+1] += x
		}
	}
	for _, x := range data[n:] {
		m[0]++
		m[1] += x
		m[2] += x * x
		m[3] += x * x * x
		m[4] += x * x * x * x
	}
}

// pairMoments are the count, the sums of both arguments, of their product and, for corr, of their squares.
type pairMoments[F float] [6]F

func (m *pairMoments[F]) population() F { return (m[3] - m[1]*m[2]/m[0]) / m[0] }

func (m *pairMoments[F]) sample() F {
	if m[0] == 0 {
		return F(column.NaN())
	}
	return (m[3] - m[1]*m[2]/m[0]) / (m[0] - 1)
}

func (m *pairMoments[F]) correlation() F {
	return (m[0]*m[3] - m[1]*m[2]) / F(math.Sqrt(float64((m[0]*m[4]-m[1]*m[1])*(m[0]*m[5]-m[2]*m[2]))))
}

// bindPairMoments: covariance and correlation of two arguments.
func bindPairMoments(name string, params []column.Column, args []*column.Type) (*Function, error) {
	if err := noParams(name, params); err != nil {
		return nil, err
	}
	if err := twoArguments(name, args); err != nil {
		return nil, err
	}
	for _, t := range args {
		if !t.IsInteger() && !t.IsFloat() || t.FixedWidth() > 8 {
			return nil, illegalPair(name, args)
		}
	}
	if args[0].Kind == column.Float32 && args[1].Kind == column.Float32 {
		return pairFunction[float32](name, column.Of(column.Float32)), nil
	}
	return pairFunction[float64](name, column.Of(column.Float64)), nil
}

func pairFunction[F float](name string, t *column.Type) *Function {
	value, size := (*pairMoments[F]).population, 4
	switch name {
	case "covarSamp":
		value = (*pairMoments[F]).sample
	case "corr":
		value, size = (*pairMoments[F]).correlation, 6
	}
	var f flatOf[pairMoments[F]]
	f.merge = func(into, from *pairMoments[F]) {
		for i := range into {
			into[i] += from[i]
		}
	}
	f.save = func(buf []byte, m *pairMoments[F]) []byte { return append(buf, column.Raw(m[:size])...) }
	f.load = func(r *column.StateReader, m *pairMoments[F]) {
		raw := column.Raw(m[:size])
		copy(raw, r.Bytes(len(raw)))
	}
	f.result = perState(t, value)
	return &Function{Name: name, Type: t, NewStates: func() States {
		own := f
		var left, right floatBuffer[F]
		own.add = func(v []pairMoments[F], groups []uint32, args []column.Column, rows int) error {
			x, y := left.of(args[0], rows), right.of(args[1], rows)
			if groups == nil {
				addPairsToOne(&v[0], x, y)
				return nil
			}
			for i, g := range groups {
				v[g].add(x[i], y[i])
			}
			return nil
		}
		return own.states()
	}}
}

func (m *pairMoments[F]) add(x, y F) {
	m[0]++
	m[1] += x
	m[2] += y
	m[3] += x * y
	m[4] += x * x
	m[5] += y * y
}

func addPairsToOne[F float](m *pairMoments[F], x, y []F) {
	var part [5][maxLanes]F
	lanes := lanesOf[F]()
	n := len(x) &^ (lanes - 1)
	for i := 0; i < n; i += lanes {
		a, b := x[i:i+lanes], y[i:i+lanes]
		for j, u := range a {
			v := b[j]
			j &= maxLanes - 1
			part[0][j] += u
			part[1][j] += v
			part[2][j] += u * v
			part[3][j] += u * u
			part[4][j] += v * v
		}
	}
	m[0] += F(n)
	for p := range part {
		for _, s := range part[p][:lanes] {
			m[p+1] += s
		}
	}
	for i := n; i < len(x); i++ {
		m.add(x[i], y[i])
	}
}
