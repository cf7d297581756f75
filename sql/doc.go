// Package sql reads and writes ClickHouse's SQL dialect: a lexer that works on demand from the text, a
// recursive-descent parser with ClickHouse's operator table for expressions, the syntax tree, a formatter
// (Format), the names that result columns get (ColumnName), and the tree as EXPLAIN AST prints it (ExplainAST).
//
// The tree follows ClickHouse's own: operators are functions (`a + b` is plus(a, b)), CASE is multiIf or
// caseWithExpression, INTERVAL is toIntervalDay and its like, brackets and tuples of plain literals are one
// Literal. What ClickHouse folds while it parses is folded here too: `count(DISTINCT x)` is countDistinct(x),
// `sum(x) FILTER (WHERE c)` is sumIf(x, c), `NOT a IN (b)` stays not(in(a, b)), `'1.10'::Decimal(9, 2)` casts the text.
// Every node knows the byte offset at which it begins.
//
// The parser is strict and hostile-input safe: the first error wins, nesting is limited (306), the depth and
// size of the finished tree are limited (167, 168) so that recursive walks over it are safe, and no input makes it loop.
package sql
