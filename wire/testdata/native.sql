insert into function file('tuple0.native','Native') select tuple() as empty, [tuple(),tuple()] as a from numbers(2);
insert into function file('types.native','Native') select
 number%2=0 as bool_, toUInt8(number) as u8, toUInt128('123456789012345678901234567890')+number as u128, toInt256(-number) as i256, toFloat32(number/3) as f32,
 toDecimal32(number,2) as d32, toDecimal128('-1.5',10)*toInt32(number) as d128, toDecimal256('1.25',3) as d256, toString(number) as s, toFixedString(toString(number),3) as fs,
 toDate('2024-02-29')+number as d, toDate32('1925-01-01')+number as dd, toDateTime('2024-02-29 12:00:00','Europe/Berlin')+number as dt, toDateTime64('1969-12-31 23:59:59.5',3,'UTC') as dt64,
 toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') as u, toIPv4('127.0.0.1') as ip4, toIPv6('2001:db8::1') as ip6, CAST(number%2+1,'Enum8(\'a\' = 1, \'it\\\'s\' = 2)') as e,
 NULL as n, [] as nothing, tuple() as empty, if(number%2=0,NULL,number) as nu, [[number],[]] as aa, (number,'x') as t, map(toString(number),number) as m,
 toLowCardinality(toString(number%2)) as lc, CAST(if(number%2=0,NULL,'z'),'LowCardinality(Nullable(String))') as lcn, [toLowCardinality('q')] as alc, emptyArrayString()::Array(LowCardinality(String)) as alce,
 map(toLowCardinality('k'),(toLowCardinality('v'),number)) as mlc, toIntervalDay(number) as iv
 from numbers(3);
insert into function file('lc300.native','Native') select toLowCardinality(toString(number)) as lc from numbers(300);

