package agg

// The registry: a line a function.
var registry = []definition{
	{name: "count", anyCase: true, bind: bindCount},
	{name: "sum", anyCase: true, bind: bindSum},
	{name: "sumWithOverflow", bind: bindSumWithOverflow},
	{name: "avg", anyCase: true, bind: bindAvg},
	{name: "min", anyCase: true, bind: bindMinMax},
	{name: "max", anyCase: true, bind: bindMinMax},
	{name: "any", bind: bindAny},
	{name: "any_value", anyCase: true, bind: bindAny, state: "any"},
	{name: "first_value", anyCase: true, bind: bindAny, state: "any"},
	{name: "anyLast", bind: bindAny},
	{name: "last_value", anyCase: true, bind: bindAny, state: "anyLast"},
	{name: "argMin", bind: bindArg},
	{name: "argMax", bind: bindArg},
	{name: "uniqExact", bind: bindUniqExact},
	{name: "groupArray", bind: bindGroupArray},
	{name: "groupUniqArray", bind: bindGroupUniqArray},
}
