package column

import "dictsvc/errcode"

// refusal is the error of a pair of types without a conversion, nil where there is one. Error 70 means NULL in accurateCastOrNull.
func refusal(from, to *Type, mode CastMode) *errcode.Error {
	accurate := mode == CastAccurate || mode == CastAccurateOrNull
	unsupported := func(code errcode.Code) *errcode.Error {
		return errcode.New(code, "Conversion from %s to %s is not supported", from, to)
	}
	unquoted := func() *errcode.Error {
		return errcode.New(errcode.NotImplemented, "Conversion between numeric types and %s is not supported. Probably the passed %s is unquoted", to, to)
	}
	f, t := from.Kind, to.Kind
	switch {
	case t == Nothing:
		return unsupported(errcode.CannotConvertType)
	case t == FixedString:
		if from.IsString() || from.IsEnum() || f == Bool {
			return nil
		}
		return errcode.New(errcode.NotImplemented, "CAST AS FixedString is only implemented for types String and FixedString")
	case from.IsString() || t == String:
		return nil
	case from.IsDecimal():
		switch t {
		case UUID, IPv4, IPv6, Date, Date32, DateTime:
			return errcode.New(errcode.IllegalColumn, "Illegal column %s of first argument of function to%s", f, t)
		case Enum8, Enum16:
			return unsupported(errcode.CannotConvertType)
		case Interval:
			return errcode.New(errcode.IllegalTypeOfArgument, "Illegal type %s of argument of function to%s", from, to)
		}
		return nil
	case to.IsDecimal():
		switch {
		case f == Date || f == Date32 || f == DateTime:
			return errcode.New(errcode.IllegalColumn, "Illegal column %s of first argument of function CAST", wordOf(from))
		case wideKind(f) || !from.IsNumber() && f != DateTime64:
			return unsupported(errcode.CannotConvertType)
		}
		return nil
	case t == DateTime64:
		if wideKind(f) || !from.IsNumber() && !from.IsDateOrTime() {
			return unsupported(errcode.CannotConvertType)
		}
		return nil
	case to.IsEnum():
		if wideKind(f) || !from.IsNumber() && !from.IsEnum() {
			return unsupported(errcode.CannotConvertType)
		}
		return nil
	case f == UUID || f == IPv4 || f == IPv6:
		switch {
		case t == Bool, f == IPv4 && t == IPv6, f == IPv6 && t == IPv4, f != IPv4 && t == UInt128, f == IPv4 && (t == UInt32 || t == UInt64 || t == UInt128 || t == UInt256):
			return nil
		case t == UUID || t == IPv6:
			return unquoted()
		}
		return unsupported(errcode.NotImplemented)
	case t == UUID || t == IPv4 || t == IPv6:
		switch {
		case accurate && from.IsNumber():
			return unsupported(errcode.CannotConvertType)
		case t == IPv4 && from.IsUnsigned() && !wideKind(f), t == IPv6 && f == UInt128:
			return nil
		case t == IPv4:
			return unsupported(errcode.NotImplemented)
		}
		return unquoted()
	case f == DateTime64 && t == Interval:
		return unsupported(errcode.CannotConvertType)
	}
	return nil
}

// wordOf is the type of the integers under a date, a time, an interval or an enum.
func wordOf(t *Type) *Type {
	switch t.Kind {
	case Date:
		return Of(UInt16)
	case Date32:
		return Of(Int32)
	case DateTime, IPv4:
		return Of(UInt32)
	case Interval:
		return Of(Int64)
	case Enum8:
		return Of(Int8)
	case Enum16:
		return Of(Int16)
	case UUID, IPv6:
		return Of(UInt128)
	}
	return t
}
