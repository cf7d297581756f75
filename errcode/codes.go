package errcode

// The codes that this project answers with, by ClickHouse's numbers.
const (
	SuspiciousTypeForLowCardinality        Code = 455
	UnexpectedAstStructure                 Code = 223
	IncorrectElementOfSet                  Code = 124
	PathAccessDenied                       Code = 481
	FunctionAlreadyExists                  Code = 609
	UnexpectedDataAfterParsedValue         Code = 632
	UnknownDatabaseEngine                  Code = 336
	QueryNotAllowed                        Code = 392
	ExpectedAllOrDistinct                  Code = 558
	UnionAllResultStructuresMismatch       Code = 258
	InvalidLimitExpression                 Code = 440
	CannotCompileRegexp                    Code = 427
	SamplingNotSupported                   Code = 141
	FunctionCannotHaveParameters           Code = 309
	CannotGetCreateTableQuery              Code = 390
	CannotDetachDictionaryAsTable          Code = 520
	IncorrectDictionaryDefinition          Code = 489
	UnknownElementInConfig                 Code = 137
	AggregateFunctionDoesntAllowParameters Code = 133
	DataTypeCannotHaveArguments            Code = 228
	UnsupportedMethod                      Code = 1
	UnsupportedParameter                   Code = 2
	ParameterOutOfBound                    Code = 12
	UnexpectedEndOfFile                    Code = 3
	ExpectedEndOfFile                      Code = 4
	CannotParseText                        Code = 6
	IncorrectNumberOfColumns               Code = 7
	ThereIsNoColumn                        Code = 8
	SizesOfColumnsDoesntMatch              Code = 9
	NotFoundColumnInBlock                  Code = 10
	DuplicateColumn                        Code = 15
	NoSuchColumnInTable                    Code = 16
	SizeOfFixedStringDoesntMatch           Code = 19
	NumberOfColumnsDoesntMatch             Code = 20
	CannotReadFromIstream                  Code = 23
	CannotParseEscapeSequence              Code = 25
	CannotParseQuotedString                Code = 26
	CannotParseInputAssertionFailed        Code = 27
	AttemptToReadAfterEof                  Code = 32
	CannotReadAllData                      Code = 33
	TooManyArgumentsForFunction            Code = 34
	TooFewArgumentsForFunction             Code = 35
	BadArguments                           Code = 36
	UnknownElementInAST                    Code = 37
	CannotParseDate                        Code = 38
	TooLargeSizeCompressed                 Code = 39
	ChecksumDoesntMatch                    Code = 40
	CannotParseDatetime                    Code = 41
	NumberOfArgumentsDoesntMatch           Code = 42
	IllegalTypeOfArgument                  Code = 43
	IllegalColumn                          Code = 44
	UnknownFunction                        Code = 46
	UnknownIdentifier                      Code = 47
	NotImplemented                         Code = 48
	LogicalError                           Code = 49
	UnknownType                            Code = 50
	EmptyListOfColumnsQueried              Code = 51
	ColumnQueriedMoreThanOnce              Code = 52
	TypeMismatch                           Code = 53
	StorageRequiresParameter               Code = 55
	UnknownStorage                         Code = 56
	TableAlreadyExists                     Code = 57
	TableMetadataAlreadyExists             Code = 58
	IllegalTypeOfColumnForFilter           Code = 59
	UnknownTable                           Code = 60
	SyntaxError                            Code = 62
	UnknownAggregateFunction               Code = 63
	CannotGetSizeOfField                   Code = 68
	ArgumentOutOfBound                     Code = 69
	CannotConvertType                      Code = 70
	CannotWriteAfterEndOfBuffer            Code = 71
	CannotParseNumber                      Code = 72
	UnknownFormat                          Code = 73
	CannotReadArrayFromText                Code = 130
	FormatIsNotSuitableForInput            Code = 85
	FormatIsNotSuitableForOutput           Code = 399
	CannotReadFromFileDescriptor           Code = 74
	CannotWriteToFileDescriptor            Code = 75
	CannotOpenFile                         Code = 76
	UnknownTypeOfQuery                     Code = 78
	IncorrectFileName                      Code = 79
	IncorrectQuery                         Code = 80
	UnknownDatabase                        Code = 81
	DatabaseAlreadyExists                  Code = 82
	DirectoryDoesntExist                   Code = 83
	UnknownCompressionMethod               Code = 89
	EmptyListOfColumnsPassed               Code = 90
	UnknownPacketFromClient                Code = 99
	UnknownPacketFromServer                Code = 100
	UnexpectedPacketFromClient             Code = 101
	UnexpectedPacketFromServer             Code = 102
	FileDoesntExist                        Code = 107
	NoDataToInsert                         Code = 108
	UnknownSetting                         Code = 115
	ThereIsNoDefaultValue                  Code = 116
	IncorrectData                          Code = 117
	EngineRequired                         Code = 119
	IncompatibleColumns                    Code = 122
	IncorrectResultOfScalarSubquery        Code = 125
	IllegalIndex                           Code = 127
	TooLargeArraySize                      Code = 128
	TooLargeStringSize                     Code = 131
	ZeroArrayOrTupleIndex                  Code = 135
	UnknownDirectionOfSorting              Code = 152
	IllegalDivision                        Code = 153
	TooManyRows                            Code = 158
	TimeoutExceeded                        Code = 159
	TooSlow                                Code = 160
	TooManyColumns                         Code = 161
	TooDeepSubqueries                      Code = 162
	Readonly                               Code = 164
	TooDeepAST                             Code = 167
	TooBigAST                              Code = 168
	BadTypeOfField                         Code = 169
	BadGet                                 Code = 170
	CannotAllocateMemory                   Code = 173
	CyclicAliases                          Code = 174
	MultipleExpressionsForAlias            Code = 179
	IllegalFinal                           Code = 181
	IllegalPrewhere                        Code = 182
	UnexpectedExpression                   Code = 183
	IllegalAggregation                     Code = 184
	SizesOfArraysDontMatch                 Code = 190
	SetSizeLimitExceeded                   Code = 191
	UnknownUser                            Code = 192
	WrongPassword                          Code = 193
	RequiredPassword                       Code = 194
	IPAddressNotAllowed                    Code = 195
	TooManySimultaneousQueries             Code = 202
	NoFreeConnection                       Code = 203
	AliasRequired                          Code = 206
	AmbiguousIdentifier                    Code = 207
	EmptyNestedTable                       Code = 208
	SocketTimeout                          Code = 209
	NetworkError                           Code = 210
	EmptyQuery                             Code = 211
	UnknownLoadBalancing                   Code = 212
	NotAnAggregate                         Code = 215
	QueryWithSameIdIsAlreadyRunning        Code = 216
	TableIsDropped                         Code = 218
	DatabaseNotEmpty                       Code = 219
	NoPathToDatabase                       Code = 232
	Aborted                                Code = 236
	MemoryLimitExceeded                    Code = 241
	NotEnoughSpace                         Code = 243
	TooManyParts                           Code = 252
	IncompatibleTypeOfJoin                 Code = 264
	NoAvailableReplica                     Code = 265
	InfiniteLoop                           Code = 269
	CannotCompress                         Code = 270
	CannotDecompress                       Code = 271
	IndexNotUsed                           Code = 277
	AllConnectionTriesFailed               Code = 279
	DictionaryIsEmpty                      Code = 281
	ReplicaIsNotInQuorum                   Code = 289
	LimitExceeded                          Code = 290
	DatabaseAccessDenied                   Code = 291
	TooDeepRecursion                       Code = 306
	TooManyBytes                           Code = 307
	ValueIsOutOfRangeOfDataType            Code = 321
	SupportIsDisabled                      Code = 344
	CannotInsertNullInOrdinaryColumn       Code = 349
	AmbiguousColumnName                    Code = 352
	UnknownCodec                           Code = 369
	SessionNotFound                        Code = 372
	IllegalSyntaxForDataType               Code = 377
	NoCommonType                           Code = 386
	DictionaryAlreadyExists                Code = 387
	CannotParseDomainValueFromString       Code = 391
	QueryWasCancelled                      Code = 394
	FunctionThrowIfValueIsNonZero          Code = 395
	TooManyRowsOrBytes                     Code = 396
	InvalidJoinOnExpression                Code = 403
	TopAndLimitTogether                    Code = 406
	InvalidSettingValue                    Code = 471
	InvalidWithFillExpression              Code = 475
	WithTiesWithoutOrderBy                 Code = 476
	OffsetFetchWithoutOrderBy              Code = 628
	DecimalOverflow                        Code = 407
	NoneOfBinaryCastExpected               Code = 410
	ExpectedAllOrAny                       Code = 417
	UnknownCodecFamily                     Code = 432
	InvalidConfigParameter                 Code = 441
	BadDatabaseForTemporaryTable           Code = 442
	FunctionNotAllowed                     Code = 446
	CannotClockGettime                     Code = 449
	SettingConstraintViolation             Code = 452
	UnknownQueryParameter                  Code = 456
	BadQueryParameter                      Code = 457
	CannotParseBool                        Code = 467
	ViolatedConstraint                     Code = 469
	CannotParseUUID                        Code = 376
	CannotExtractTableStructure            Code = 636
	CannotStat                             Code = 485
	FeatureIsNotEnabledAtBuildTime         Code = 486
	UnknownDictionary                      Code = 487
	AccessDenied                           Code = 497
	AuthenticationFailed                   Code = 516
	CannotCreateFile                       Code = 519
	CannotAdvise                           Code = 531
	CannotParseInterval                    Code = 549
	TableAlreadyLocked                     Code = 562
	TooManyPartitions                      Code = 565
	WrongDdlRenamingSettings               Code = 568
	IllegalCodec                           Code = 620
	HaveDependentObjects                   Code = 630
	InvalidState                           Code = 661
	CannotParseIPv4                        Code = 675
	CannotParseIPv6                        Code = 676
	UnknownElementOfEnum                   Code = 691
	TooManyTables                          Code = 736
	StdException                           Code = 1001
	UnknownException                       Code = 1002
)

var names = map[Code]string{
	IncorrectElementOfSet:                  "INCORRECT_ELEMENT_OF_SET",
	PathAccessDenied:                       "PATH_ACCESS_DENIED",
	FunctionAlreadyExists:                  "FUNCTION_ALREADY_EXISTS",
	UnexpectedAstStructure:                 "UNEXPECTED_AST_STRUCTURE",
	SuspiciousTypeForLowCardinality:        "SUSPICIOUS_TYPE_FOR_LOW_CARDINALITY",
	UnexpectedDataAfterParsedValue:         "UNEXPECTED_DATA_AFTER_PARSED_VALUE",
	UnknownDatabaseEngine:                  "UNKNOWN_DATABASE_ENGINE",
	QueryNotAllowed:                        "QUERY_NOT_ALLOWED",
	ExpectedAllOrDistinct:                  "EXPECTED_ALL_OR_DISTINCT",
	UnionAllResultStructuresMismatch:       "UNION_ALL_RESULT_STRUCTURES_MISMATCH",
	InvalidLimitExpression:                 "INVALID_LIMIT_EXPRESSION",
	CannotCompileRegexp:                    "CANNOT_COMPILE_REGEXP",
	SamplingNotSupported:                   "SAMPLING_NOT_SUPPORTED",
	FunctionCannotHaveParameters:           "FUNCTION_CANNOT_HAVE_PARAMETERS",
	CannotGetCreateTableQuery:              "CANNOT_GET_CREATE_TABLE_QUERY",
	CannotDetachDictionaryAsTable:          "CANNOT_DETACH_DICTIONARY_AS_TABLE",
	IncorrectDictionaryDefinition:          "INCORRECT_DICTIONARY_DEFINITION",
	UnknownElementInConfig:                 "UNKNOWN_ELEMENT_IN_CONFIG",
	AggregateFunctionDoesntAllowParameters: "AGGREGATE_FUNCTION_DOESNT_ALLOW_PARAMETERS",
	DataTypeCannotHaveArguments:            "DATA_TYPE_CANNOT_HAVE_ARGUMENTS",
	UnsupportedMethod:                      "UNSUPPORTED_METHOD",
	UnsupportedParameter:                   "UNSUPPORTED_PARAMETER",
	ParameterOutOfBound:                    "PARAMETER_OUT_OF_BOUND",
	UnexpectedEndOfFile:                    "UNEXPECTED_END_OF_FILE",
	ExpectedEndOfFile:                      "EXPECTED_END_OF_FILE",
	CannotParseText:                        "CANNOT_PARSE_TEXT",
	IncorrectNumberOfColumns:               "INCORRECT_NUMBER_OF_COLUMNS",
	ThereIsNoColumn:                        "THERE_IS_NO_COLUMN",
	SizesOfColumnsDoesntMatch:              "SIZES_OF_COLUMNS_DOESNT_MATCH",
	NotFoundColumnInBlock:                  "NOT_FOUND_COLUMN_IN_BLOCK",
	DuplicateColumn:                        "DUPLICATE_COLUMN",
	NoSuchColumnInTable:                    "NO_SUCH_COLUMN_IN_TABLE",
	SizeOfFixedStringDoesntMatch:           "SIZE_OF_FIXED_STRING_DOESNT_MATCH",
	NumberOfColumnsDoesntMatch:             "NUMBER_OF_COLUMNS_DOESNT_MATCH",
	CannotReadFromIstream:                  "CANNOT_READ_FROM_ISTREAM",
	CannotParseEscapeSequence:              "CANNOT_PARSE_ESCAPE_SEQUENCE",
	CannotParseQuotedString:                "CANNOT_PARSE_QUOTED_STRING",
	CannotParseInputAssertionFailed:        "CANNOT_PARSE_INPUT_ASSERTION_FAILED",
	AttemptToReadAfterEof:                  "ATTEMPT_TO_READ_AFTER_EOF",
	CannotReadAllData:                      "CANNOT_READ_ALL_DATA",
	TooManyArgumentsForFunction:            "TOO_MANY_ARGUMENTS_FOR_FUNCTION",
	TooFewArgumentsForFunction:             "TOO_FEW_ARGUMENTS_FOR_FUNCTION",
	BadArguments:                           "BAD_ARGUMENTS",
	UnknownElementInAST:                    "UNKNOWN_ELEMENT_IN_AST",
	CannotParseDate:                        "CANNOT_PARSE_DATE",
	TooLargeSizeCompressed:                 "TOO_LARGE_SIZE_COMPRESSED",
	ChecksumDoesntMatch:                    "CHECKSUM_DOESNT_MATCH",
	CannotParseDatetime:                    "CANNOT_PARSE_DATETIME",
	NumberOfArgumentsDoesntMatch:           "NUMBER_OF_ARGUMENTS_DOESNT_MATCH",
	IllegalTypeOfArgument:                  "ILLEGAL_TYPE_OF_ARGUMENT",
	IllegalColumn:                          "ILLEGAL_COLUMN",
	UnknownFunction:                        "UNKNOWN_FUNCTION",
	UnknownIdentifier:                      "UNKNOWN_IDENTIFIER",
	NotImplemented:                         "NOT_IMPLEMENTED",
	LogicalError:                           "LOGICAL_ERROR",
	UnknownType:                            "UNKNOWN_TYPE",
	EmptyListOfColumnsQueried:              "EMPTY_LIST_OF_COLUMNS_QUERIED",
	ColumnQueriedMoreThanOnce:              "COLUMN_QUERIED_MORE_THAN_ONCE",
	TypeMismatch:                           "TYPE_MISMATCH",
	StorageRequiresParameter:               "STORAGE_REQUIRES_PARAMETER",
	UnknownStorage:                         "UNKNOWN_STORAGE",
	TableAlreadyExists:                     "TABLE_ALREADY_EXISTS",
	TableMetadataAlreadyExists:             "TABLE_METADATA_ALREADY_EXISTS",
	IllegalTypeOfColumnForFilter:           "ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER",
	UnknownTable:                           "UNKNOWN_TABLE",
	SyntaxError:                            "SYNTAX_ERROR",
	UnknownAggregateFunction:               "UNKNOWN_AGGREGATE_FUNCTION",
	CannotGetSizeOfField:                   "CANNOT_GET_SIZE_OF_FIELD",
	ArgumentOutOfBound:                     "ARGUMENT_OUT_OF_BOUND",
	CannotConvertType:                      "CANNOT_CONVERT_TYPE",
	CannotWriteAfterEndOfBuffer:            "CANNOT_WRITE_AFTER_END_OF_BUFFER",
	CannotParseNumber:                      "CANNOT_PARSE_NUMBER",
	UnknownFormat:                          "UNKNOWN_FORMAT",
	CannotReadArrayFromText:                "CANNOT_READ_ARRAY_FROM_TEXT",
	FormatIsNotSuitableForInput:            "FORMAT_IS_NOT_SUITABLE_FOR_INPUT",
	FormatIsNotSuitableForOutput:           "FORMAT_IS_NOT_SUITABLE_FOR_OUTPUT",
	CannotReadFromFileDescriptor:           "CANNOT_READ_FROM_FILE_DESCRIPTOR",
	CannotWriteToFileDescriptor:            "CANNOT_WRITE_TO_FILE_DESCRIPTOR",
	CannotOpenFile:                         "CANNOT_OPEN_FILE",
	UnknownTypeOfQuery:                     "UNKNOWN_TYPE_OF_QUERY",
	IncorrectFileName:                      "INCORRECT_FILE_NAME",
	IncorrectQuery:                         "INCORRECT_QUERY",
	UnknownDatabase:                        "UNKNOWN_DATABASE",
	DatabaseAlreadyExists:                  "DATABASE_ALREADY_EXISTS",
	DirectoryDoesntExist:                   "DIRECTORY_DOESNT_EXIST",
	UnknownCompressionMethod:               "UNKNOWN_COMPRESSION_METHOD",
	EmptyListOfColumnsPassed:               "EMPTY_LIST_OF_COLUMNS_PASSED",
	UnknownPacketFromClient:                "UNKNOWN_PACKET_FROM_CLIENT",
	UnknownPacketFromServer:                "UNKNOWN_PACKET_FROM_SERVER",
	UnexpectedPacketFromClient:             "UNEXPECTED_PACKET_FROM_CLIENT",
	UnexpectedPacketFromServer:             "UNEXPECTED_PACKET_FROM_SERVER",
	FileDoesntExist:                        "FILE_DOESNT_EXIST",
	NoDataToInsert:                         "NO_DATA_TO_INSERT",
	UnknownSetting:                         "UNKNOWN_SETTING",
	ThereIsNoDefaultValue:                  "THERE_IS_NO_DEFAULT_VALUE",
	IncorrectData:                          "INCORRECT_DATA",
	EngineRequired:                         "ENGINE_REQUIRED",
	IncompatibleColumns:                    "INCOMPATIBLE_COLUMNS",
	IncorrectResultOfScalarSubquery:        "INCORRECT_RESULT_OF_SCALAR_SUBQUERY",
	IllegalIndex:                           "ILLEGAL_INDEX",
	TooLargeArraySize:                      "TOO_LARGE_ARRAY_SIZE",
	TooLargeStringSize:                     "TOO_LARGE_STRING_SIZE",
	ZeroArrayOrTupleIndex:                  "ZERO_ARRAY_OR_TUPLE_INDEX",
	UnknownDirectionOfSorting:              "UNKNOWN_DIRECTION_OF_SORTING",
	IllegalDivision:                        "ILLEGAL_DIVISION",
	TooManyRows:                            "TOO_MANY_ROWS",
	TimeoutExceeded:                        "TIMEOUT_EXCEEDED",
	TooSlow:                                "TOO_SLOW",
	TooManyColumns:                         "TOO_MANY_COLUMNS",
	TooDeepSubqueries:                      "TOO_DEEP_SUBQUERIES",
	Readonly:                               "READONLY",
	TooDeepAST:                             "TOO_DEEP_AST",
	TooBigAST:                              "TOO_BIG_AST",
	BadTypeOfField:                         "BAD_TYPE_OF_FIELD",
	BadGet:                                 "BAD_GET",
	CannotAllocateMemory:                   "CANNOT_ALLOCATE_MEMORY",
	CyclicAliases:                          "CYCLIC_ALIASES",
	MultipleExpressionsForAlias:            "MULTIPLE_EXPRESSIONS_FOR_ALIAS",
	IllegalFinal:                           "ILLEGAL_FINAL",
	IllegalPrewhere:                        "ILLEGAL_PREWHERE",
	UnexpectedExpression:                   "UNEXPECTED_EXPRESSION",
	IllegalAggregation:                     "ILLEGAL_AGGREGATION",
	SizesOfArraysDontMatch:                 "SIZES_OF_ARRAYS_DONT_MATCH",
	SetSizeLimitExceeded:                   "SET_SIZE_LIMIT_EXCEEDED",
	UnknownUser:                            "UNKNOWN_USER",
	WrongPassword:                          "WRONG_PASSWORD",
	RequiredPassword:                       "REQUIRED_PASSWORD",
	IPAddressNotAllowed:                    "IP_ADDRESS_NOT_ALLOWED",
	TooManySimultaneousQueries:             "TOO_MANY_SIMULTANEOUS_QUERIES",
	NoFreeConnection:                       "NO_FREE_CONNECTION",
	AliasRequired:                          "ALIAS_REQUIRED",
	AmbiguousIdentifier:                    "AMBIGUOUS_IDENTIFIER",
	EmptyNestedTable:                       "EMPTY_NESTED_TABLE",
	SocketTimeout:                          "SOCKET_TIMEOUT",
	NetworkError:                           "NETWORK_ERROR",
	EmptyQuery:                             "EMPTY_QUERY",
	UnknownLoadBalancing:                   "UNKNOWN_LOAD_BALANCING",
	NotAnAggregate:                         "NOT_AN_AGGREGATE",
	QueryWithSameIdIsAlreadyRunning:        "QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING",
	TableIsDropped:                         "TABLE_IS_DROPPED",
	DatabaseNotEmpty:                       "DATABASE_NOT_EMPTY",
	NoPathToDatabase:                       "NO_PATH_TO_DATABASE",
	Aborted:                                "ABORTED",
	MemoryLimitExceeded:                    "MEMORY_LIMIT_EXCEEDED",
	NotEnoughSpace:                         "NOT_ENOUGH_SPACE",
	TooManyParts:                           "TOO_MANY_PARTS",
	IncompatibleTypeOfJoin:                 "INCOMPATIBLE_TYPE_OF_JOIN",
	NoAvailableReplica:                     "NO_AVAILABLE_REPLICA",
	InfiniteLoop:                           "INFINITE_LOOP",
	CannotCompress:                         "CANNOT_COMPRESS",
	CannotDecompress:                       "CANNOT_DECOMPRESS",
	IndexNotUsed:                           "INDEX_NOT_USED",
	AllConnectionTriesFailed:               "ALL_CONNECTION_TRIES_FAILED",
	DictionaryIsEmpty:                      "DICTIONARY_IS_EMPTY",
	ReplicaIsNotInQuorum:                   "REPLICA_IS_NOT_IN_QUORUM",
	LimitExceeded:                          "LIMIT_EXCEEDED",
	DatabaseAccessDenied:                   "DATABASE_ACCESS_DENIED",
	TooDeepRecursion:                       "TOO_DEEP_RECURSION",
	TooManyBytes:                           "TOO_MANY_BYTES",
	ValueIsOutOfRangeOfDataType:            "VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE",
	SupportIsDisabled:                      "SUPPORT_IS_DISABLED",
	CannotInsertNullInOrdinaryColumn:       "CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN",
	AmbiguousColumnName:                    "AMBIGUOUS_COLUMN_NAME",
	UnknownCodec:                           "UNKNOWN_CODEC",
	SessionNotFound:                        "SESSION_NOT_FOUND",
	IllegalSyntaxForDataType:               "ILLEGAL_SYNTAX_FOR_DATA_TYPE",
	NoCommonType:                           "NO_COMMON_TYPE",
	DictionaryAlreadyExists:                "DICTIONARY_ALREADY_EXISTS",
	CannotParseDomainValueFromString:       "CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING",
	QueryWasCancelled:                      "QUERY_WAS_CANCELLED",
	FunctionThrowIfValueIsNonZero:          "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO",
	TooManyRowsOrBytes:                     "TOO_MANY_ROWS_OR_BYTES",
	TopAndLimitTogether:                    "TOP_AND_LIMIT_TOGETHER",
	InvalidSettingValue:                    "INVALID_SETTING_VALUE",
	InvalidWithFillExpression:              "INVALID_WITH_FILL_EXPRESSION",
	WithTiesWithoutOrderBy:                 "WITH_TIES_WITHOUT_ORDER_BY",
	OffsetFetchWithoutOrderBy:              "OFFSET_FETCH_WITHOUT_ORDER_BY",
	DecimalOverflow:                        "DECIMAL_OVERFLOW",
	InvalidJoinOnExpression:                "INVALID_JOIN_ON_EXPRESSION",
	ExpectedAllOrAny:                       "EXPECTED_ALL_OR_ANY",
	NoneOfBinaryCastExpected:               "NONE_OF_BINARY_CAST_EXPECTED",
	UnknownCodecFamily:                     "UNKNOWN_CODEC_FAMILY",
	InvalidConfigParameter:                 "INVALID_CONFIG_PARAMETER",
	BadDatabaseForTemporaryTable:           "BAD_DATABASE_FOR_TEMPORARY_TABLE",
	FunctionNotAllowed:                     "FUNCTION_NOT_ALLOWED",
	CannotClockGettime:                     "CANNOT_CLOCK_GETTIME",
	SettingConstraintViolation:             "SETTING_CONSTRAINT_VIOLATION",
	UnknownQueryParameter:                  "UNKNOWN_QUERY_PARAMETER",
	BadQueryParameter:                      "BAD_QUERY_PARAMETER",
	CannotParseBool:                        "CANNOT_PARSE_BOOL",
	ViolatedConstraint:                     "VIOLATED_CONSTRAINT",
	CannotParseUUID:                        "CANNOT_PARSE_UUID",
	CannotExtractTableStructure:            "CANNOT_EXTRACT_TABLE_STRUCTURE",
	CannotStat:                             "CANNOT_STAT",
	FeatureIsNotEnabledAtBuildTime:         "FEATURE_IS_NOT_ENABLED_AT_BUILD_TIME",
	UnknownDictionary:                      "UNKNOWN_DICTIONARY",
	AccessDenied:                           "ACCESS_DENIED",
	AuthenticationFailed:                   "AUTHENTICATION_FAILED",
	CannotCreateFile:                       "CANNOT_CREATE_FILE",
	CannotAdvise:                           "CANNOT_ADVISE",
	CannotParseInterval:                    "CANNOT_PARSE_INTERVAL",
	TableAlreadyLocked:                     "TABLE_ALREADY_LOCKED",
	TooManyPartitions:                      "TOO_MANY_PARTITIONS",
	WrongDdlRenamingSettings:               "WRONG_DDL_RENAMING_SETTINGS",
	IllegalCodec:                           "ILLEGAL_CODEC",
	HaveDependentObjects:                   "HAVE_DEPENDENT_OBJECTS",
	InvalidState:                           "INVALID_STATE",
	CannotParseIPv4:                        "CANNOT_PARSE_IPV4",
	CannotParseIPv6:                        "CANNOT_PARSE_IPV6",
	UnknownElementOfEnum:                   "UNKNOWN_ELEMENT_OF_ENUM",
	TooManyTables:                          "TOO_MANY_TABLES",
	StdException:                           "STD_EXCEPTION",
	UnknownException:                       "UNKNOWN_EXCEPTION",
}
