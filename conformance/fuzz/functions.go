package fuzz

// scalarSignatures are functions whose answer depends on their arguments alone and that take all values.
func scalarSignatures() signatures { return parseSignatures(scalarTable, hasFunction) }

// throwingSignatures are functions that some values make fail. They are used where it is certain that both sides compute them for the same rows.
func throwingSignatures() signatures { return parseSignatures(throwingTable, hasFunction) }

const scalarTable = `
-- conditions
($0 = $1) : V V -> b
($0 != $1) : V V -> b
($0 < $1) : K K -> b
($0 < $1) : V V -> b
($0 >= $1) : V V -> b
($0 <= $1) : n n -> b
($0 > $1) : n n -> b
($0 = $1) : n n -> b
($0 >= $1) : i w -> b
($0 < $1) : x x -> b
($0 AND $1) : b b -> b
($0 OR $1) : b b -> b
(NOT $0) : b -> b
($0 AND $1) : i b -> b
xor b b -> b
and b b+ -> b
or b b+ -> b
($0 BETWEEN $1 AND $2) : V V V -> b
($0 IS NULL) : y -> b
($0 IS NOT NULL) : y -> b
isNull y -> b
isNotNull y -> b
isZeroOrNull i -> b
($0 IS NOT DISTINCT FROM nullIf($0, $1)) : K K -> b
isDistinctFrom($0, ifNull($0, $1)) : K K -> b
equals (VW) (VW) -> b
less (VW) (VW) -> b
empty s -> b
notEmpty s -> b
empty [V] -> b
notEmpty [V] -> b
empty {MW} -> b
empty u -> b
toBool i -> b
has [V] V -> b
hasAny [V] [V] -> b
hasAll [V] [V] -> b
hasSubstr [V] [V] -> b
startsWith s s -> b
endsWith s s -> b
startsWith [V] [V] -> b
endsWith [V] [V] -> b
($0 LIKE $1) : s "'%a%'|'_%'|'a_c%'|'%'|''|'%\\%%'" -> b
ilike s "'%A%'|'_b'" -> b
notLike s "'%a%'|'a_c'" -> b
match s "'a+'|'^.?b'|'[0-9]+$'|'(xy)*'|''" -> b
hasToken s "'abc'|'12'" -> b
isFinite f -> b
isInfinite f -> b
isNaN f -> b
isValidUTF8 s -> b
isValidASCII s -> b
isIPv4String s -> b
isIPv6String s -> b
mapContainsKey {MW} M -> b
mapContainsValue {MW} W -> b
arrayExists \V>b [V] -> b
arrayAll \V>b [V] -> b
bitTest i #0..7 -> b
bitTestAny i #0..7 #0..3 -> b
bitTestAll i #0..7 #0..3 -> b
multiSearchAny s "['a', 'b']|['']|['xyz', '12']" -> b
hasSubsequence s s -> b
hasSubsequenceUTF8 s s -> b
isNullable y -> b
-- any class
if b V V -> V
multiIf b V b V V -> V
($0 ? $1 : $2) : b V V -> V
CASE WHEN $0 THEN $1 ELSE $2 END : b V V -> V
CASE WHEN $0 THEN $1 WHEN $2 THEN $3 END : b K b K -> K
CASE $0 WHEN $1 THEN $2 ELSE $3 END : i i V V -> V
CASE $0 WHEN $1 THEN $2 ELSE $3 END : s s V V -> V
ifNull V V -> V
coalesce K K K -> K
nullIf K K -> K
assumeNotNull(ifNull($0, $1)) : K K -> K
toNullable K -> K
identity V -> V
firstNonDefault V V -> V
toLowCardinality s -> s
greatest V V -> V
least V V V -> V
$0[abs(toInt16(ifNull($1, 2))) % 3 + 1] : [V] i -> V
$0[$1] : [V] #1..3 -> V
$0[$1] : [V] #-3..-1 -> V
arrayElement [V] #1..3 -> V
arrayElementOrNull($0, abs(toInt16($1)) % 3 + 1) : [K] i -> K
$0[$1] : {MK} M -> K
$0.1 : (VW) -> V
$0.2 : (VW) -> W
tupleElement (VW) #1..1 -> V
arrayFirst \V>b [V] -> V
arrayLast \V>b [V] -> V
arrayFirstOrNull \K>b [K] -> K
arrayLastOrNull \K>b [K] -> K
arrayMin [K] -> K
arrayMax [K] -> K
arrayFold((a, e) -> a * 3 + toInt64(e), $0, toInt64($1)) : [i] i -> i
arrayFold((a, e) -> concat(e, a), $0, toString($1)) : [s] s -> s
defaultValueOfArgumentType V -> V
-- integers
($0 + $1) : i i -> i
($0 - $1) : i i -> i
($0 * $1) : i i -> i
(-$0) : i -> i
(-$0) : c -> c
plus i b -> i
intDiv i #1..9 -> i
intDivOrZero i i -> i
intDivOrNull i i -> i
modulo i #1..9 -> i
($0 % $1) : i #-7..-2 -> i
moduloOrZero i i -> i
moduloOrNull i i -> i
positiveModulo i #1..9 -> i
abs i -> i
abs c -> c
sign i -> i
sign c -> i
bitAnd i i -> i
bitOr i i -> i
bitXor i i -> i
bitNot i -> i
bitShiftLeft i #0..40 -> i
bitShiftRight i #0..40 -> i
bitCount i -> i
bitHammingDistance i i -> i
roundAge i -> i
roundDuration i -> i
intExp2(abs(toInt16($0)) % 70) : i -> w
intExp10(abs(toInt16($0)) % 25) : i -> w
countDigits i -> i
toInt8 i -> i
toUInt8 i -> i
toInt16 i -> i
toUInt16 i -> i
toInt32 i -> i
toUInt32 i -> i
toInt64 i -> i
toUInt64 i -> w
toInt128 i -> w
toUInt256 i -> w
CAST(ifNull($0, 2) AS Int64) : i -> i
CAST(ifNull($0, 2), 'UInt8') : i -> i
ifNull($0, 2)::UInt16 : i -> i
CAST($0 AS Nullable(Int32)) : i -> i
accurateCastOrNull i "'UInt8'|'Int16'|'UInt64'|'Int32'" -> i
accurateCastOrDefault i "'UInt8'|'Int16'|'UInt64'|'Int32'" -> i
accurateCastOrNull s "'UInt8'|'Int16'|'UInt64'|'Int32'" -> i
toInt32OrZero s -> i
toUInt64OrNull s -> w
toInt16OrDefault s -> i
toInt8OrNull s -> i
toInt128OrZero s -> w
toUInt8 b -> i
length s -> w
lengthUTF8 s -> w
length [V] -> w
length {MW} -> w
position s s -> i
positionUTF8 s s -> i
positionCaseInsensitive s s -> i
position s s #0..5 -> i
locate s s -> i
countSubstrings s s -> i
countMatches s "'a'|'[a-z]'|'\\d+'" -> i
ascii s -> i
indexOf [V] V -> i
countEqual [V] V -> i
arrayCount \V>b [V] -> i
arrayFirstIndex \V>b [V] -> i
arrayLastIndex \V>b [V] -> i
arrayUniq [V] -> i
arraySum [i] -> i
arraySum \V>i [V] -> i
arrayProduct [i] -> g
multiSearchFirstIndex s "['a', 'b']|['']|['xyz', '12']" -> i
multiSearchFirstPosition s "['a', 'b']|['xyz', '12']" -> i
toYear x -> i
toQuarter x -> i
toMonth x -> i
toDayOfYear x -> i
toDayOfMonth x -> i
toDayOfWeek x -> i
toDayOfWeek x #0..3 -> i
toHour t -> i
toHour T -> i
toMinute t -> i
toSecond T -> i
toMillisecond T -> i
toISOYear x -> i
toISOWeek x -> i
toWeek x #0..9 -> i
toYearWeek x #0..9 -> i
toYYYYMM x -> i
toYYYYMMDD x -> i
toYYYYMMDDhhmmss x -> i
toUnixTimestamp t -> i
toUnixTimestamp T -> i
toUnixTimestamp64Milli T -> i
toUnixTimestamp64Micro T -> i
toRelativeDayNum x -> i
toRelativeMonthNum x -> i
toRelativeHourNum t -> i
toRelativeWeekNum x -> i
toDaysSinceYearZero d -> i
dateDiff "'day'|'month'|'week'|'hour'|'year'|'second'|'quarter'|'minute'" x x -> i
age "'day'|'month'|'week'|'hour'|'year'|'second'|'quarter'|'minute'" x x -> i
($0 - $1) : t t -> i
cityHash64 y+ -> w
sipHash64 y+ -> w
xxHash64 s -> w
xxHash32 s -> i
murmurHash3_32 s+ -> i
murmurHash3_64 s -> w
murmurHash2_64 s -> w
halfMD5 s -> w
javaHash s -> i
intHash32 i -> i
intHash64 i -> w
farmHash64 s+ -> w
metroHash64 s+ -> w
CRC32 s -> i
IPv4StringToNumOrDefault s -> i
toUInt32 p -> i
toInt8 e -> i
toInt16 e -> i
reinterpretAsUInt32 s -> i
reinterpretAsInt64 s -> i
reinterpretAsUInt64 f -> w
lcm #1..9 #1..9 -> i
jumpConsistentHash i #1..9 -> i
editDistance s s -> i
damerauLevenshteinDistance s s -> i
byteHammingDistance s s -> i
tupleHammingDistance (ss) (ss) -> i
toInt64 d -> i
toUInt32 t -> i
toInt64 T -> i
-- wide integers
($0 + $1) : w w -> w
($0 - $1) : w i -> w
($0 * $1) : w w -> w
(-$0) : w -> w
intDiv w #1..9 -> w
modulo w #1..9 -> w
intDivOrZero w w -> w
abs w -> w
bitAnd w w -> w
bitXor w w -> w
bitNot w -> w
bitShiftLeft w #0..70 -> w
bitShiftRight w #0..70 -> w
gcd #1..9 #1..9 -> i
sign w -> i
toInt64 w -> i
toUInt8 w -> i
toInt32 w -> i
toUInt256 w -> w
toInt128 w -> w
($0 = $1) : w i -> b
($0 < $1) : w w -> b
toString w -> s
hex w -> s
toFloat64 w -> g
roundToExp2(toUInt64($0)) : i -> w
-- decimals
($0 + $1) : c c -> c
($0 - $1) : c c -> c
($0 + $1) : c i -> c
toDecimal32OrZero s #0..4 -> c
toDecimal64OrNull s #0..4 -> c
toDecimal128OrDefault s #0..4 -> c
round c #-1..3 -> c
floor c #-1..3 -> c
ceil c -> c
trunc c #-1..3 -> c
roundBankers c #-1..3 -> c
arraySum [c] -> c
-- floats
($0 + $1) : f f -> f
($0 - $1) : f f -> f
abs f -> f
toFloat64OrZero s -> g
toFloat32OrNull s -> g
toFloat64 f -> f
arraySum [f] -> f
($0 / $1) : n n -> g
($0 * $1) : f f -> g
(-$0) : f -> g
($0 * $1) : f i -> g
($0 * $1) : f c -> g
($0 + $1) : f i -> g
($0 + $1) : g g -> g
($0 * $1) : g n -> g
divideOrNull n n -> g
arrayAvg [n] -> g
round f #-1..3 -> g
round g #0..3 -> g
floor f -> g
ceil f #0..2 -> g
trunc f -> g
roundBankers f #0..2 -> g
exp f -> g
log f -> g
log2 f -> g
log10 i -> g
sqrt i -> g
sqrt f -> g
cbrt f -> g
sin f -> g
cos i -> g
tan f -> g
atan f -> g
atan2 f f -> g
hypot f f -> g
pow i #0..3 -> g
pow f #0..3 -> g
erf f -> g
degrees f -> g
radians f -> g
sigmoid f -> g
tanh f -> g
log1p f -> g
factorial #0..20 -> w
toFloat64 i -> g
toFloat32 i -> g
toFloat64 c -> g
avg2 i i -> g
L1Norm [i] -> g
L2Norm [i] -> g
arrayJaccardIndex [V] [V] -> g
-- strings
concat s s+ -> s
($0 || $1) : s s -> s
concat s y -> s
concatWithSeparator "','|''" s s+ -> s
lower s -> s
upper s -> s
lowerUTF8 s -> s
upperUTF8 s -> s
initcap s -> s
reverse s -> s
reverseUTF8 s -> s
substring s #-3..5 -> s
substring s #-3..5 #0..4 -> s
substringUTF8 s #-3..5 #0..4 -> s
left s #-2..4 -> s
right s #-2..4 -> s
leftUTF8 s #-2..4 -> s
trimLeft s -> s
trimBoth s -> s
trimRight s -> s
TRIM(BOTH ' a' FROM $0) : s -> s
leftPad s #0..9 "'*'|'ab'|''" -> s
rightPad s #0..9 -> s
leftPadUTF8 s #0..9 -> s
repeat s #0..3 -> s
space #0..5 -> s
replaceAll s s s -> s
replaceOne s "'a'|''|'12'" s -> s
replaceRegexpAll s "'a+'|'(.)b'|'^'|'[0-9]'|''" "'<\\0>'|''|'x'" -> s
replaceRegexpOne s "'a+'|'(.)b'|'^'|'[0-9]'" "'<\\0>'|''|'x'" -> s
translate s "'abc', 'xyz'|'12', 'ab'" -> s
extract s "'[a-z]+'|'(\\d)'" -> s
substringIndex s "','|' '|'a'" #-2..2 -> s
appendTrailingCharIfAbsent s "'/'|'a'" -> s
toString i -> s
toString c -> s
toString f -> s
toString x -> s
toString k -> s
toString [k] -> s
toString (VW) -> s
toString {MW} -> s
CAST(assumeNotNull($0) AS String) : k -> s
CAST($0 AS Nullable(String)) : k -> s
toStringCutToZero s -> s
hex s -> s
hex i -> s
hex f -> s
hex d -> s
hex u -> s
bin i -> s
bin s -> s
base64Encode s -> s
tryBase64Decode s -> s
hex(MD5($0)) : s -> s
hex(SHA256($0)) : s -> s
hex(sipHash128($0)) : s -> s
encodeXMLComponent s -> s
decodeXMLComponent s -> s
toValidUTF8 s -> s
char i -> s
format "'{} and {}'|'{1}{0}'|'{{}}{}{}'" s s -> s
arrayStringConcat [s] -> s
arrayStringConcat [i] "','|''" -> s
arrayStringConcat [s] "','|''" -> s
toTypeName y -> s
dateName "'day'|'month'|'week'|'year'|'weekday'" x -> s
monthName x -> s
formatDateTime x "'%Y-%m-%d'|'%H:%i:%S'|'%j %u %V %y'|'%F %T'|'%e %b %W'" -> s
formatDateTime T "'%f'|'%Y %s'" -> s
formatReadableSize i -> s
formatReadableQuantity i -> s
formatReadableTimeDelta i -> s
bitmaskToList i -> s
IPv4NumToString i -> s
IPv4NumToString p -> s
IPv6NumToString q -> s
toString u -> s
toString p -> s
overlay s s #1..3 -> s
firstLine s -> s
transform i "[1, 2, 3], ['one', 'two', 'three']" s -> s
transform i "[1, 2, 255], [10, 20, 30]" i -> i
arrayElement(splitByChar(',', $0), $1) : s #1..2 -> s
toDecimalString c #1..4 -> s
reinterpretAsString i -> s
toFixedString(substring($0, 1, 3), 5) : s -> s
soundex s -> s
punycodeEncode s -> s
ngrams($0, 2)[1] : s -> s
-- dates and times
toDate x -> d
toDate32 x -> d
toDateTime d -> t
toDateTime T -> t
toDateTime64 x #0..6 -> T
toDateTime(toUInt32($0 % 100000)) : i -> t
toDate(toUInt16(abs($0) % 20000)) : i -> d
toDateOrZero s -> d
toDateOrNull s -> d
toDate32OrNull s -> d
toDateTimeOrZero s -> t
toDateTimeOrNull s -> t
toDateTime64OrNull s #0..6 -> T
parseDateTimeBestEffortOrNull s -> t
parseDateTimeBestEffortOrZero s -> t
parseDateTime64BestEffortOrNull s -> T
toMonday x -> d
toStartOfMonth x -> d
toStartOfYear x -> d
toStartOfQuarter x -> d
toStartOfWeek x #0..3 -> d
toLastDayOfMonth x -> d
toLastDayOfWeek x #0..3 -> d
toStartOfDay x -> t
toStartOfHour t -> t
toStartOfMinute t -> t
toStartOfFiveMinutes t -> t
toStartOfFifteenMinutes t -> t
toStartOfHour T -> t
toStartOfSecond T -> T
toStartOfMillisecond T -> T
toStartOfInterval d "INTERVAL 1 DAY|INTERVAL 2 WEEK|INTERVAL 3 MONTH|INTERVAL 1 YEAR" -> d
toStartOfInterval t "INTERVAL 1 DAY|INTERVAL 7 HOUR|INTERVAL 10 MINUTE|INTERVAL 15 SECOND" -> t
dateTrunc "'day'|'month'|'week'|'year'|'quarter'" x -> d
dateTrunc "'hour'|'minute'|'second'|'day'" t -> t
timeSlot t -> t
addDays X #-400..400 -> X
($0 + $1) : X "INTERVAL 1 DAY|INTERVAL -3 WEEK|INTERVAL 1 MONTH|INTERVAL 2 YEAR|INTERVAL 1 QUARTER" -> X
($0 + $1) : t "INTERVAL 1 SECOND|INTERVAL 90 MINUTE|INTERVAL -1 HOUR" -> t
($0 - $1) : T "INTERVAL 1 SECOND|INTERVAL 90 MINUTE|INTERVAL 5 MILLISECOND" -> T
($0 + $1) : d #-9..9 -> d
($0 - $1) : t #-9..99 -> t
addMonths t #-30..30 -> t
addMonths d #-30..30 -> d
subtractDays d #-99..99 -> d
addHours t #-99..99 -> t
arrayExcept($0, arraySlice($0, 2, 1)) : [s] -> [s]
arrayExcept($0, arraySlice($0, 2, 1)) : [i] -> [i]
addYears T #-30..30 -> T
subtractWeeks d #-9..9 -> d
addSeconds T #-99..99 -> T
addMilliseconds T #-99..99 -> T
makeDate #1969..2150 #0..13 #0..32 -> d
makeDate32 i #1..12 #1..28 -> d
makeDateTime #1969..2106 #1..12 #1..31 #0..24 #0..60 #0..60 -> t
toTimezone t "'UTC'|'Asia/Tokyo'|'America/New_York'" -> t
YYYYMMDDToDate i -> d
fromDaysSinceYearZero #719528..760000 -> d
-- other scalars
toUUIDOrZero s -> u
toUUIDOrNull s -> u
toIPv4OrDefault(toString($0)) : s -> p
toIPv4OrNull(toString($0)) : s -> p
toIPv6OrDefault(toString($0)) : s -> q
toIPv6OrNull(toString($0)) : s -> q
IPv4ToIPv6 p -> q
-- arrays
array V+ -> [V]
[$*] : V V -> [V]
array n+ -> [i]
emptyArrayUInt8 -> [i]
arrayMap \V>W [V] -> [W]
arrayFilter \V>b [V] -> [V]
arraySort [V] -> [V]
arraySort \V>k [V] -> [V]
arrayReverseSort [V] -> [V]
arrayReverse [V] -> [V]
arrayDistinct [V] -> [V]
arrayConcat [V] [V]+ -> [V]
arraySlice [V] #-3..3 #0..3 -> [V]
arraySlice [V] #-3..3 -> [V]
arrayPushBack [V] V -> [V]
arrayPushFront [V] V -> [V]
arrayPopBack [V] -> [V]
arrayPopFront [V] -> [V]
arrayResize [V] #-3..5 -> [V]
arrayResize [V] #-3..5 V -> [V]
arrayCompact [V] -> [V]
-- NULLs of arrayIntersect are ClickHouse's own
arraySort(arrayFilter(x -> x IS NOT NULL, arrayIntersect($0, arraySlice($0, 2)))) : [V] -> [V]
arraySort(arrayUnion($0, $1)) : [V] [V] -> [V]
arrayEnumerate [V] -> [i]
arrayEnumerateUniq [V] -> [i]
arrayEnumerateDense [V] -> [i]
arrayCumSum [i] -> [i]
arrayCumSumNonNegative [i] -> [i]
arrayDifference [i] -> [i]
arrayRotateLeft [V] #-2..4 -> [V]
arrayShiftRight [V] #-2..4 -> [V]
arrayFill \V>b [V] -> [V]
arrayReverseFill \V>b [V] -> [V]
arraySplit \V>b [V] -> [[V]]
arrayFlatten [[V]] -> [V]
arrayZip(arrayResize($0, 2), arrayResize($1, 2)) : [V] [W] -> [(VW)]
arrayWithConstant #0..3 V -> [V]
arrayRemove [V] V -> [V]
emptyArrayToSingle [V] -> [V]
range #0..5 -> [i]
range(toUInt8(abs(ifNull($0, 3)) % 5)) : i -> [i]
splitByChar "','|' '|'a'" s -> [s]
splitByString "','|'ab'|''" s -> [s]
splitByWhitespace s -> [s]
splitByNonAlpha s -> [s]
splitByRegexp "'[0-9]'|''" s -> [s]
alphaTokens s -> [s]
extractAll s "'[a-z]+'|'(\\d)'" -> [s]
ngrams s #1..3 -> [s]
tokens s -> [s]
mapKeys {MW} -> [M]
mapValues {MW} -> [W]
bitmaskToArray i -> [i]
bitPositionsToArray i -> [i]
-- tuples and maps
tuple V W -> (VW)
($0, $1) : V W -> (VW)
tuplePlus (ii) (ii) -> (ii)
tupleMinus (ic) (ic) -> (ic)
tupleNegate (ii) -> (ii)
tupleMultiplyByNumber (ii) i -> (ii)
map M W -> {MW}
mapFromArrays(arrayDistinct($0), arrayWithConstant(length(arrayDistinct($0)), $1)) : [M] W -> {MW}
mapSort {MW} -> {MW}
mapConcat {MW} {MW} -> {MW}
mapUpdate {MW} {MW} -> {MW}
mapFilter \MW>b {MW} -> {MW}
`

const throwingTable = `
intDiv i i -> i
modulo i i -> i
positiveModulo i i -> i
intDiv c i -> i
($0 * $1) : c c -> c
($0 / $1) : c c -> c
toInt32 s -> i
toUInt64 s -> i
toInt32 f -> i
toInt16 c -> i
toDecimal32 f #0..4 -> c
toDecimal64 s #0..4 -> c
toDecimal32 i #0..4 -> c
toDecimal128 c #0..9 -> c
toFloat64 s -> g
toDate s -> d
toDateTime s -> t
toDateTime64 s #0..6 -> T
toUUID s -> u
toIPv4 s -> p
toIPv6 s -> q
toFixedString s #0..6 -> s
base64Decode s -> s
CAST($0 AS Enum8('a' = 1, 'b' = 2, 'abc' = 3)) : s -> e
CAST($0 AS Enum8('a' = 1, 'b' = 2)) : i -> e
CAST($0 AS UInt8) : s -> i
CAST($0 AS Int32) : y -> i
CAST($0 AS Array(Int32)) : [y] -> [i]
CAST($0 AS Array(String)) : [y] -> [s]
CAST($0 AS Array(UInt8)) : s -> [i]
CAST($0 AS Tuple(Int32, String)) : (yy) -> (is)
CAST($0 AS Map(String, Int32)) : {yy} -> {si}
CAST($0 AS LowCardinality(Nullable(String))) : y -> s
CAST($0 AS Date) : y -> d
CAST($0 AS DateTime) : y -> t
CAST($0 AS Float64) : n -> g
CAST($0 AS UUID) : s -> u
CAST($0 AS Bool) : y -> b
accurateCast i "'UInt8'|'Int16'|'UInt64'|'Int32'" -> i
accurateCast f "'UInt8'|'Int32'|'Float32'" -> i
parseDateTimeBestEffort s -> t
throwIf b -> i
plus y y -> i
minus y y -> i
multiply y y -> i
divide y y -> g
less y y -> b
equals y y -> b
if y y y -> s
concat y y -> s
length y -> i
substring y i i -> s
arrayConcat y y -> [i]
has y y -> b
toString y -> s
toInt64 y -> i
toFloat64 y -> g
toDate y -> d
negate y -> i
abs y -> i
bitAnd y y -> i
greatest y y -> s
coalesce y y -> s
arraySum y -> i
arrayMax y -> i
in y y -> b
toYear y -> i
dateDiff "'day'|'month'|'nonsense'" y y -> i
mapKeys y -> [i]
tupleElement y #0..3 -> i
arrayElement y y -> i
round y y -> g
ifNull y y -> s
nullIf y y -> s
and y y -> b
not y -> b
xor y y -> b
lower y -> s
hex y -> s
toDecimal64 y #0..4 -> c
`
