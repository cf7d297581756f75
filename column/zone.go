package column

import (
	"time"
	_ "time/tzdata" // zones must be known on machines without tzdata too

	"dictsvc/errcode"
)

// LoadZone loads a time zone by its IANA name; "" gives nil, which stands for the server's zone (UTC).
func LoadZone(name string) (*time.Location, error) {
	if name == "" {
		return nil, nil
	}
	if name == "Local" { // time.LoadLocation would take it; ClickHouse does not
		return nil, errcode.New(errcode.BadArguments, "Cannot load time zone %s", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, errcode.New(errcode.BadArguments, "Cannot load time zone %s", name)
	}
	return loc, nil
}

// Location is the zone in which a DateTime or DateTime64 of this type is written: UTC where it names none.
func (t *Type) Location() *time.Location {
	if t.Loc == nil {
		return time.UTC
	}
	return t.Loc
}
