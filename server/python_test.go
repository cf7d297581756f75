package server

import (
	"testing"

	"dictsvc/internal/peers"
)

// python3-clickhouse-driver: types, parameters, settings, external tables, inserts, streams and errors.
func TestPython(t *testing.T) {
	_, addr := usersServer(t)
	r := peers.Python(t, addr, `
import sys, datetime, decimal, uuid
from clickhouse_driver import Client, errors
def client(**more): return Client(sys.argv[1], int(sys.argv[2]), **more)
c = client(settings={'max_block_size': 777})
print(c.execute("SELECT dictGet('users', 'name', toUInt64(5)), dictGet('users', ('city', 'score'), toUInt64(5)), dictGet('users', 'nick', toUInt64(6))"))
print(c.execute("SELECT id, name, nick FROM users WHERE id IN (3, 4) ORDER BY id", with_column_types=True))
print(c.execute("SELECT toDate('2024-01-02'), toDateTime('2024-01-02 03:04:05', 'UTC'), toDecimal32('1.25', 2), toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'), [1, 2], "
  "map('a', 1), (1, 'x'), toNullable(5), NULL, toFixedString('ab', 3), toInt128(-5), CAST('a', 'Enum8(\\'a\\' = 1)'), toIPv4('1.2.3.4'), toLowCardinality('lc'), toDateTime64('2024-01-02 03:04:05.678', 3, 'UTC'), true, 1.5"))
print(c.execute("SELECT value FROM system.settings WHERE name = 'max_block_size'"))
print(c.execute("SELECT number FROM numbers(%(n)s) WHERE number > %(m)s", {'n': 10, 'm': 7}))
print(c.execute("SELECT v, dictGet('users', 'name', k) FROM ext ORDER BY k", external_tables=[
  {'name': 'ext', 'structure': [('k', 'UInt64'), ('v', 'Nullable(String)')], 'data': [{'k': 2, 'v': None}, {'k': 1, 'v': 'one'}]}]))
print(c.execute("INSERT INTO t VALUES", [(i, 'row %d' % i) for i in range(100000)]))
print(c.execute("INSERT INTO t (s, id) VALUES", ({'id': 7, 's': 'dict'} for _ in range(3))))
print(c.execute("SELECT count(), sum(id), countIf(s = 'dict') FROM t"))
total = 0
for row in c.execute_iter("SELECT number FROM numbers(500000)", {'x': 1}): total += row[0]
print(total)
it = c.execute_iter("SELECT number FROM numbers(100000000)")
print(next(it), next(it)); c.disconnect()  # left in the middle
print(c.execute("SELECT 1"))
p = c.execute_with_progress("SELECT sum(number) FROM numbers(1000000)")
for done, of in p: pass
print(p.get_result(), done, of)
print(c.execute("SELECT city, count() FROM users WHERE id < 3 GROUP BY city WITH TOTALS ORDER BY city"))
for sql in ("SELECT nothing", "SELECT dictGet('users', 'name', 'x')", "SELECT * FROM missing", "INSERT INTO missing VALUES", "SELECT throwIf(number = 70000) FROM numbers(100000)"):
  try: print(c.execute(sql, [(1,)] if sql.startswith('INSERT') else None))
  except errors.ServerException as e: print(e.code, 'DB::Exception' in e.message)
print(c.execute("SELECT 'after errors'"))
for kw in ({'user': 'nobody'}, {'password': 'wrong'}, {'database': 'missing'}):
  try: client(**kw).execute("SELECT 1")
  except errors.ServerException as e: print(e.code)
`)
	want := `[('user-5', ('city-5', 1.25), None)]
([(3, 'user-3', None), (4, 'user-4', 'n4')], [('id', 'UInt64'), ('name', 'String'), ('nick', 'Nullable(String)')])
[(datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=<UTC>), Decimal('1.25'), UUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'), [1, 2], {'a': 1}, (1, 'x'), 5, None, 'ab', -5, 'a', IPv4Address('1.2.3.4'), 'lc', datetime.datetime(2024, 1, 2, 3, 4, 5, 678000, tzinfo=<UTC>), True, 1.5)]
[('777',)]
[(8,), (9,)]
[('one', 'user-1'), (None, 'user-2')]
100000
3
[(100003, 4999950021, 3)]
124999750000
(0,) (1,)
[(1,)]
[(499999500000,)] 1000000 1000000
[('city-1', 1), ('city-2', 1), ('', 2)]
47 True
6 True
60 True
60 True
395 True
[('after errors',)]
516
516
81
`
	if r.Out != want || r.Code != 0 {
		t.Errorf("want\n%s\ngot\n%s\n%s", want, r.Out, r.Err)
	}
}
