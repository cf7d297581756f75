package agg

// The registry: a line a function.
var registry = []definition{
	{"count", true, bindCount},
	{"sum", true, bindSum},
	{"sumWithOverflow", false, bindSumWithOverflow},
	{"avg", true, bindAvg},
	{"min", true, bindMinMax},
	{"max", true, bindMinMax},
	{"any", false, bindAny},
	{"any_value", true, bindAny},
	{"first_value", true, bindAny},
	{"anyLast", false, bindAny},
	{"last_value", true, bindAny},
	{"argMin", false, bindArg},
	{"argMax", false, bindArg},
	{"uniqExact", false, bindUniqExact},
	{"groupArray", false, bindGroupArray},
	{"groupUniqArray", false, bindGroupUniqArray},
}
