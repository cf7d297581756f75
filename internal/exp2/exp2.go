// Package exp2 computes powers and logarithms with an error of half a unit in the last place, as C's library does; those of package math err by more.
package exp2

import "math"

const (
	ln2High   = 0x1.62e42fefa39efp-01
	ln2Low    = 0x1.abc9e3b39803fp-56
	log2eHigh = 0x1.71547652b82fep+00
	log2eLow  = 0x1.777d0ffda0d24p-56
)

// Of is 2 to the power x.
func Of(x float64) float64 {
	if v, ok := beyond(x); ok {
		return v
	}
	high, low, k := parted(x, 0)
	return math.Ldexp(high+low, k)
}

// Exp is e to the power x.
func Exp(x float64) float64 {
	y := x * log2eHigh
	if v, ok := beyond(y); ok {
		return v
	}
	high, low, k := parted(y, math.FMA(x, log2eHigh, -y)+x*log2eLow)
	return math.Ldexp(high+low, k)
}

// Log is the natural logarithm of x: math.Log's, and what e to that power lacks of x.
func Log(x float64) float64 {
	l := math.Log(x)
	if x < 0x1p-1000 || math.IsInf(x, 0) || x != x {
		return l
	}
	y := -l * log2eHigh
	high, low, k := parted(y, math.FMA(-l, log2eHigh, -y)-l*log2eLow)
	x = math.Ldexp(x, k)
	return l + (math.FMA(x, high, -1) + x*low)
}

// beyond is 2^x where no arithmetic is needed.
func beyond(x float64) (float64, bool) {
	switch {
	case x != x:
		return x, true
	case x >= 1024:
		return math.Inf(1), true
	case x < -1076:
		return 0, true
	}
	return 0, false
}

// parted is 2^(x + rest) as (high + low) * 2^k. x is cut into a whole number, 64ths, which come from a table, and a part r; 2^r - 1 is a series in r ln 2
// whose first two terms carry what their rounding loses.
func parted(x, rest float64) (high, low float64, k int) {
	n := math.RoundToEven(x * 64)
	r := x - n/64
	y := r * ln2High
	lost := math.FMA(r, ln2High, -y) + r*ln2Low + rest*ln2High
	square := y * y / 2
	squareLost := math.FMA(y, y, -2*square)/2 + y*lost
	tail := y * y * y * (1./6 + y*(1./24+y*(1./120+y*(1./720+y*(1./5040)))))
	// 2^r - 1 = high + low
	high = y + square
	low = (y - high + square) + (lost + squareLost + tail)
	high, low = high+low, high-(high+low)+low
	at := int(n)
	part := &parts[at&63]
	product := part[0] * high
	lost = math.FMA(part[0], high, -product) + part[0]*low + part[1]*high + part[1]
	sum := part[0] + product
	return sum, part[0] - sum + product + lost, at >> 6
}
