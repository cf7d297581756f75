package query

import "testing"

// A large dictionary that is reloaded with a few changes answers from its old tables and what lies over them: through look-ups, scans and key look-ups.
func TestReloadedDictionary(t *testing.T) {
	s := newTestSession(t, Config{})
	do(t, s,
		"CREATE TABLE change (at UInt64) ENGINE = Memory",
		"INSERT INTO change VALUES (0)",
		`CREATE DICTIONARY d (id UInt64, parent UInt64 DEFAULT 0 HIERARCHICAL, name String DEFAULT 'none') PRIMARY KEY id
		SOURCE(CLICKHOUSE(QUERY 'WITH (SELECT max(at) FROM change) AS at
		SELECT number + if(number % 1000 = 7, at * 1000000, 0) AS id, intDiv(number, 2) AS parent, concat(''name '', toString(number + if(number % 100 = 0, at, 0))) AS name FROM numbers(1, 99999)'))
		LIFETIME(0) LAYOUT(HASHED())`,
		"SYSTEM RELOAD DICTIONARY d")
	want(t, s, "SELECT count(), sum(id), uniqExact(name) FROM d", "99999\t4999950000\t99999")
	do(t, s, "INSERT INTO change VALUES (3)", "SYSTEM RELOAD DICTIONARY d")
	want(t, s, "SELECT count(), sum(id), sum(parent) FROM d", "99999\t5299950000\t2499950000")
	want(t, s, "SELECT countIf(name != concat('name ', toString(id))) FROM d", "1099")
	want(t, s, "SELECT sum(length(name)) FROM d", "988884")
	want(t, s, "SELECT dictGet('d', 'name', toUInt64(200)), dictGet('d', 'name', toUInt64(201)), dictGet('d', 'name', toUInt64(1007)), dictGet('d', 'name', toUInt64(3001007))", "name 203\tname 201\tnone\tname 1007")
	want(t, s, "SELECT sum(dictHas('d', number)) FROM numbers(100000)", "99899")
	want(t, s, "SELECT id, name FROM d WHERE id IN (200, 1007, 3001007) ORDER BY id", "200\tname 203|3001007\tname 1007")
	want(t, s, "SELECT dictGetHierarchy('d', toUInt64(200)), dictGetHierarchy('d', toUInt64(2014))", "[200,100,50,25,12,6,3,1]\t[2014]")
	want(t, s, "SELECT element_count, load_factor > 0 AND load_factor < 1 FROM system.dictionaries", "99999\t1")
}
