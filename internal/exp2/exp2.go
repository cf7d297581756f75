// Package exp2 computes powers of two with an error of half a unit in the last place, as C's library does; math.Exp2 errs by more.
package exp2

import "math"

const (
	ln2High = 0x1.62e42fefa39efp-01
	ln2Low  = 0x1.abc9e3b39803fp-56
)

// Of is 2 to the power x. x is cut into a whole number, 64ths, which come from a table, and a rest r; 2^r - 1 is a series in r ln 2 whose first two
// terms carry what their rounding loses.
func Of(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1076:
		return 0
	}
	n := math.RoundToEven(x * 64)
	r := x - n/64
	y := r * ln2High
	rest := math.FMA(r, ln2High, -y) + r*ln2Low
	square := y * y / 2
	squareRest := (math.FMA(y, y, -2*square))/2 + y*rest
	tail := y * y * y * (1./6 + y*(1./24+y*(1./120+y*(1./720+y*(1./5040)))))
	// 2^r - 1 = high + low
	high := y + square
	low := (y - high + square) + (rest + squareRest + tail)
	high, low = high+low, high-(high+low)+low
	k := int(n)
	part := &parts[k&63]
	product := part[0] * high
	lost := math.FMA(part[0], high, -product) + part[0]*low + part[1]*high + part[1]
	sum := part[0] + product
	value := sum + (part[0] - sum + product + lost)
	return math.Ldexp(value, k>>6)
}
