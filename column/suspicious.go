package column

import "dictsvc/errcode"

// maxFixedString is the longest FixedString that is not suspicious.
const maxFixedString = 256

// Suspicious is the error of a type of which ClickHouse makes columns only where a setting says so: LowCardinality of anything but strings,
// which costs more than it saves, and long FixedStrings. setting gives a setting's value; "0" forbids.
func (t *Type) Suspicious(setting func(name string) string) error {
	if t.Kind == LowCardinality && !t.Base().IsString() && setting("allow_suspicious_low_cardinality_types") == "0" {
		return errcode.New(errcode.SuspiciousTypeForLowCardinality, "Creating columns of type %s is prohibited by default due to expected negative impact on performance. "+
			"It can be enabled with the `allow_suspicious_low_cardinality_types` setting.", t)
	}
	if t.Kind == FixedString && t.Width > maxFixedString && setting("allow_suspicious_fixed_string_types") == "0" {
		return errcode.New(errcode.IllegalColumn, "Cannot create column with type '%s' because fixed string with size > %d is suspicious. "+
			"Set setting allow_suspicious_fixed_string_types = 1 in order to allow it", t, maxFixedString)
	}
	for _, e := range t.Elems {
		if err := e.Suspicious(setting); err != nil {
			return err
		}
	}
	return nil
}
