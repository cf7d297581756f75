package function

import (
	"strings"

	"dictsvc/column"
	"dictsvc/errcode"
)

// fixedStringRefused lists, by the code of the error, the functions whose arguments may be String and not FixedString: a name, then the places. ClickHouse
// has no kernel for them there.
var fixedStringRefused = []struct {
	code errcode.Code
	list string
}{
	{errcode.IllegalTypeOfArgument, `
		0: IPv4StringToNumOrDefault IPv4StringToNumOrNull MACStringToNum MACStringToOUI UUIDStringToNum addDays addHours addMicroseconds addMilliseconds
		0: addMinutes addMonths addNanoseconds addQuarters addSeconds addWeeks addYears alphaTokens decodeHTMLComponent decodeXMLComponent encodeXMLComponent
		0: isIPv4String isIPv6String isValidJSON leftUTF8 locate multiMatchAllIndices multiMatchAny multiMatchAnyIndex multiSearchAllPositions
		0: multiSearchAllPositionsCaseInsensitive multiSearchAny multiSearchAnyCaseInsensitive multiSearchFirstIndex multiSearchFirstIndexCaseInsensitive
		0: multiSearchFirstPosition multiSearchFirstPositionCaseInsensitive regexpQuoteMeta repeat rightUTF8 splitByNonAlpha splitByWhitespace substringUTF8
		0: subtractDays subtractHours subtractMicroseconds subtractMilliseconds subtractMinutes subtractMonths subtractNanoseconds subtractQuarters
		0: subtractSeconds subtractWeeks subtractYears
		0 1: byteHammingDistance damerauLevenshteinDistance editDistance editDistanceUTF8 endsWithUTF8 extract extractAll hasSubsequence
		0 1: hasSubsequenceCaseInsensitive hasSubsequenceCaseInsensitiveUTF8 hasSubsequenceUTF8 jaroSimilarity jaroWinklerSimilarity overlay overlayUTF8
		0 1: regexpExtract simpleJSONExtractRaw simpleJSONExtractString splitByRegexp splitByString startsWithUTF8 substringIndex
		0 1 2: JSONExtractArrayRaw JSONExtractBool JSONExtractFloat JSONExtractInt JSONExtractKeys JSONExtractKeysAndValuesRaw JSONExtractRaw
		0 1 2: JSONExtractString JSONExtractUInt JSONHas JSONKey JSONLength JSONType
		1: countMatches countMatchesCaseInsensitive countSubstrings countSubstringsCaseInsensitive countSubstringsCaseInsensitiveUTF8 ilike like match
		1: notILike notLike position positionCaseInsensitive positionCaseInsensitiveUTF8 positionUTF8 simpleJSONExtractBool simpleJSONExtractFloat
		1: simpleJSONExtractInt simpleJSONExtractUInt simpleJSONHas splitByChar trimBoth trimLeft trimRight
		1 2: replaceAll replaceOne replaceRegexpAll replaceRegexpOne
		2: leftPad leftPadUTF8 rightPad rightPadUTF8
	`},
	{errcode.IllegalColumn, `
		0: countSubstrings countSubstringsCaseInsensitive countSubstringsCaseInsensitiveUTF8 firstLine hasToken hasTokenCaseInsensitive replaceAll replaceOne
		0: reverseUTF8 simpleJSONExtractBool simpleJSONExtractFloat simpleJSONExtractInt simpleJSONExtractUInt
		0: simpleJSONHas toValidUTF8
	`},
	{errcode.BadArguments, `
		0: initcapUTF8 lowerUTF8 upperUTF8
		0 2: translateUTF8
		2: translate
	`},
}

// fixedColumnRefused lists those that take constants alone: for columns of FixedString they fail with ILLEGAL_COLUMN.
const fixedColumnRefused = "0: position positionUTF8 positionCaseInsensitive positionCaseInsensitiveUTF8\n1: locate\n"

// refusal is a rule of one function: the code for a FixedString in each place, 0 where it is taken, and the places where only columns are refused.
type refusal struct {
	codes   [3]errcode.Code
	columns [3]bool
}

func refusals() map[string]refusal {
	all := map[string]refusal{}
	read := func(list string, code errcode.Code, columns bool) {
		for line := range strings.Lines(list) {
			places, names, _ := strings.Cut(line, ":")
			for _, name := range strings.Fields(names) {
				r := all[name]
				for _, p := range strings.Fields(places) {
					r.codes[p[0]-'0'], r.columns[p[0]-'0'] = code, columns
				}
				all[name] = r
			}
		}
	}
	for _, group := range fixedStringRefused {
		read(group.list, group.code, false)
	}
	read(fixedColumnRefused, errcode.IllegalColumn, true)
	return all
}

// refuse is the error for an argument that must not be a FixedString; where another argument is NULL, so is the result.
func refuse(f *Function, args []Arg) error {
	if f.Flags&OwnNulls == 0 {
		for _, a := range args {
			if a.Type.Base().Kind == column.Nothing {
				if strings.HasPrefix(f.Name, "IPv4StringToNum") {
					return illegalType(f.Name, a.Type)
				}
				return nil
			}
		}
	}
	if strings.HasPrefix(f.Name, "replaceRegexp") && args[0].Const != nil && plainType(args[0].Type).NoNull().Kind == column.FixedString {
		return errcode.New(errcode.IllegalColumn, "Illegal column %s of first argument of function %s", args[0].Type, f.Name)
	}
	var err error
	for i, code := range f.refused.codes {
		if code != 0 && i < len(args) && !(f.refused.columns[i] && args[i].Const != nil) && plainType(args[i].Type).NoNull().Kind == column.FixedString {
			if err == nil || code == errcode.IllegalTypeOfArgument { // types are looked at before columns
				err = errcode.New(code, "Illegal type %s of argument of function %s", args[i].Type, f.Name)
			}
		}
	}
	return err
}
