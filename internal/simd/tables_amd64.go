//go:build !noasm

package simd

// The kernels by type.
var (
	addKernels = [kinds]kernel2{addInt8, addInt16, addInt32, addInt64, addInt8, addInt16, addInt32, addInt64, addFloat32, addFloat64}
	subKernels = [kinds]kernel2{subInt8, subInt16, subInt32, subInt64, subInt8, subInt16, subInt32, subInt64, subFloat32, subFloat64}
	mulKernels = [kinds]kernel2{nil, mulInt16, mulInt32, mulInt64, nil, mulInt16, mulInt32, mulInt64, mulFloat32, mulFloat64}
	divKernels = [kinds]kernel2{kindFloat32: divFloat32, kindFloat64: divFloat64}

	equalKernels     = [kinds]compare{equalInt8, equalInt16, equalInt32, equalInt64, equalInt8, equalInt16, equalInt32, equalInt64, equalFloat32, equalFloat64}
	greaterKernels   = [kinds]compare{greaterInt8, greaterInt16, greaterInt32, greaterInt64, greaterInt8, greaterInt16, greaterInt32, greaterInt64, nil, nil}
	lessKernels      = [kinds]compare{kindFloat32: lessFloat32, kindFloat64: lessFloat64}
	lessEqualKernels = [kinds]compare{kindFloat32: lessEqualFloat32, kindFloat64: lessEqualFloat64}

	sumKernels = [kinds]kernel1{sumUint8, sumUint16, sumUint32, sumInt64, sumInt8, sumInt16, sumInt32, sumInt64, sumFloat32, sumFloat64}
	minKernels = [kinds]kernel1{minUint8, minUint16, minUint32, nil, minInt8, minInt16, minInt32, nil, minFloat32, minFloat64}
	maxKernels = [kinds]kernel1{maxUint8, maxUint16, maxUint32, nil, maxInt8, maxInt16, maxInt32, nil, maxFloat32, maxFloat64}

	// convertKernels are by the type that is given, then by the one wanted.
	convertKernels = [kinds][kinds]kernel1{
		kindUint8:   {kindUint64: extendUint8, kindInt64: extendUint8},
		kindUint16:  {kindUint64: extendUint16, kindInt64: extendUint16},
		kindUint32:  {kindUint64: extendUint32, kindInt64: extendUint32},
		kindInt8:    {kindUint64: extendInt8, kindInt64: extendInt8},
		kindInt16:   {kindUint64: extendInt16, kindInt64: extendInt16},
		kindInt32:   {kindUint64: extendInt32, kindInt64: extendInt32, kindFloat64: floatInt32},
		kindUint64:  {kindUint8: narrow8, kindInt8: narrow8, kindUint16: narrow16, kindInt16: narrow16, kindUint32: narrow32, kindInt32: narrow32, kindFloat64: floatUint64},
		kindInt64:   {kindUint8: narrow8, kindInt8: narrow8, kindUint16: narrow16, kindInt16: narrow16, kindUint32: narrow32, kindInt32: narrow32, kindFloat64: floatInt64},
		kindFloat32: {kindFloat64: floatFloat32},
	}
)
