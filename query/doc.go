// Package query runs SQL statements: it binds names and types (bind*.go), plans a SELECT as a chain of operators over blocks of
// columns (plan*.go, op_*.go), and runs definitions, INSERT, SHOW and the rest of the statements.
//
// A SELECT goes through these hands:
//
//	sql.Select --binder--> selectPlan: typed expressions (expr), one node for each distinct expression
//	           --open----> streams: source, filter, array join, aggregate, sort, distinct, limit, project
//	           --Run-----> blocks to the Sink
//
// Expressions are hash-consed: equal expressions of one SELECT are one node, so that a common part is computed once a block, and
// GROUP BY keys and aggregates are recognised wherever they are repeated by comparing pointers. A stage of the chain holds the columns of
// some nodes (its layout); a program computes further nodes from them.
//
// Streams are pulled. A plan opens as one stream, or as several that run in parallel; every goroutine belongs to an exec, which
// waits for it before the statement ends.
package query
