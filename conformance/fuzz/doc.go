// Package fuzz compares dictsvc with ClickHouse 26.7 on random statements.
//
// A run is told by its seed. For every batch of statements a schema is made (tables with columns of many types and edge values, dictionaries over
// them), then SELECTs over it from a typed grammar of the functions that dictsvc has. Both sides must answer with the same names, types and values,
// or with the same error code. What differs is made smaller while it still differs, and printed with all that is needed to see it again.
//
// The answers are told apart by construction alone: whatever depends on the order of rows is sorted, values that come of sums of inexact floats are
// only shown (and compared with a tolerance), never hashed, compared or grouped by. What dictsvc does otherwise on purpose (docs/differences.md) is
// not generated; results are not looked at with more leniency for it.
package fuzz
