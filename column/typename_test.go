package column

import "testing"

func TestParseSent(t *testing.T) {
	const name = "Nullable(Tuple(k Float64, b Float64))"
	if _, err := Parse(name); err == nil {
		t.Errorf("Parse(%s): got no error", name)
	}
	got, err := ParseSent(name)
	if err != nil || got.Kind != Nullable || got.Elems[0].Kind != Tuple {
		t.Errorf("ParseSent(%s): got %v, %v", name, got, err)
	}
}
