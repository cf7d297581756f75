//go:build !noasm

#include "textflag.h"

// Every kernel of this file takes (out, a, b, turns, strideA, strideB). A turn computes 128 bytes of the result, or 32 bytes of a comparison's
// result, and moves on in a and b by their strides, which are 0 for constants: they lie in memory as often as a turn reads them.

#define ARGS \
	MOVQ out+0(FP), DI; \
	MOVQ a+8(FP), SI; \
	MOVQ b+16(FP), DX; \
	MOVQ turns+24(FP), CX; \
	MOVQ strideA+32(FP), R8; \
	MOVQ strideB+40(FP), R9

#define NEXT(SIZE) \
	ADDQ R8, SI; \
	ADDQ R9, DX; \
	ADDQ $SIZE, DI; \
	DECQ CX; \
	JNZ  turn; \
	VZEROUPPER; \
	RET

// BINARY computes OP of vectors; in the assembler's order of operands the last source is the first operand.
#define BINARY(NAME, OP) \
TEXT NAME(SB), NOSPLIT, $0-48; \
	ARGS; \
turn: \
	VMOVDQU (SI), Y0; \
	VMOVDQU 32(SI), Y1; \
	VMOVDQU 64(SI), Y2; \
	VMOVDQU 96(SI), Y3; \
	OP (DX), Y0, Y0; \
	OP 32(DX), Y1, Y1; \
	OP 64(DX), Y2, Y2; \
	OP 96(DX), Y3, Y3; \
	VMOVDQU Y0, (DI); \
	VMOVDQU Y1, 32(DI); \
	VMOVDQU Y2, 64(DI); \
	VMOVDQU Y3, 96(DI); \
	NEXT(128)

// MUL64 is the low half of X times M, four words of 64 bits; H and L are overwritten.
#define MUL64(X, M, H, L) \
	VPSRLQ $32, X, H; \
	VPMULUDQ M, H, H; \
	VPSRLQ $32, M, L; \
	VPMULUDQ X, L, L; \
	VPADDQ H, L, H; \
	VPSLLQ $32, H, H; \
	VPMULUDQ X, M, L; \
	VPADDQ H, L, X

// Comparisons give a byte a value, 0 or 1. flip (the byte in Y15) turns the answer round; bias (Y14) is the sign bit where unsigned numbers are
// compared as signed ones.

#define COMPARE_ARGS \
	ARGS; \
	VPBROADCASTQ bias+48(FP), Y14; \
	VPBROADCASTB flip+56(FP), Y15; \
	MOVQ $0x0101010101010101, AX; \
	MOVQ AX, X13; \
	VPBROADCASTQ X13, Y13

// BYTES makes 0 and 1 of the 32 masks in Y and writes them.
#define BYTES(Y) \
	VPAND Y13, Y, Y; \
	VPXOR Y15, Y, Y; \
	VMOVDQU Y, (DI)

#define EQUAL(OP, OFF, Y) \
	VMOVDQU OFF(SI), Y; \
	OP OFF(DX), Y, Y

// GREATER is a > b. The mask of two biased numbers.
#define GREATER(OP, OFF, Y) \
	VPXOR OFF(SI), Y14, Y; \
	VPXOR OFF(DX), Y14, Y12; \
	OP Y12, Y, Y

#define PACK16 \
	VPACKSSWB Y1, Y0, Y0; \
	VPERMQ $0xD8, Y0, Y0

// PACK32 packs the masks of 32 words of 32 bits in Y0 to Y3.
#define PACK32 \
	VPACKSSDW Y1, Y0, Y0; \
	VPACKSSDW Y3, Y2, Y2; \
	VPACKSSWB Y2, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPUNPCKLDQ X1, X0, X2; \
	VPUNPCKHDQ X1, X0, X3; \
	VINSERTI128 $1, X3, Y2, Y0

// PACK64 packs the masks of 32 words of 64 bits in Y0 to Y7.
#define PACK64 \
	VSHUFPS $0x88, Y1, Y0, Y0; \
	VSHUFPS $0x88, Y3, Y2, Y2; \
	VSHUFPS $0x88, Y5, Y4, Y4; \
	VSHUFPS $0x88, Y7, Y6, Y6; \
	VPACKSSDW Y2, Y0, Y0; \
	VPACKSSDW Y6, Y4, Y4; \
	VPACKSSWB Y4, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPUNPCKLWD X1, X0, X2; \
	VPUNPCKHWD X1, X0, X3; \
	VINSERTI128 $1, X3, Y2, Y0

#define COMPARE8(NAME, HOW, OP) \
TEXT NAME(SB), NOSPLIT, $0-57; \
	COMPARE_ARGS; \
turn: \
	HOW(OP, 0, Y0); \
	BYTES(Y0); \
	NEXT(32)

#define COMPARE16(NAME, HOW, OP) \
TEXT NAME(SB), NOSPLIT, $0-57; \
	COMPARE_ARGS; \
turn: \
	HOW(OP, 0, Y0); \
	HOW(OP, 32, Y1); \
	PACK16; \
	BYTES(Y0); \
	NEXT(32)

#define COMPARE32(NAME, HOW, OP) \
TEXT NAME(SB), NOSPLIT, $0-57; \
	COMPARE_ARGS; \
turn: \
	HOW(OP, 0, Y0); \
	HOW(OP, 32, Y1); \
	HOW(OP, 64, Y2); \
	HOW(OP, 96, Y3); \
	PACK32; \
	BYTES(Y0); \
	NEXT(32)

#define COMPARE64(NAME, HOW, OP) \
TEXT NAME(SB), NOSPLIT, $0-57; \
	COMPARE_ARGS; \
turn: \
	HOW(OP, 0, Y0); \
	HOW(OP, 32, Y1); \
	HOW(OP, 64, Y2); \
	HOW(OP, 96, Y3); \
	HOW(OP, 128, Y4); \
	HOW(OP, 160, Y5); \
	HOW(OP, 192, Y6); \
	HOW(OP, 224, Y7); \
	PACK64; \
	BYTES(Y0); \
	NEXT(32)

// FLOAT64 and FLOAT32 compare by a predicate.
#define FLOAT64(PRED, OFF, Y) \
	VMOVUPD OFF(SI), Y; \
	VCMPPD $PRED, OFF(DX), Y, Y

#define FLOAT32(PRED, OFF, Y) \
	VMOVUPS OFF(SI), Y; \
	VCMPPS $PRED, OFF(DX), Y, Y

BINARY(·addInt8, VPADDB)
BINARY(·addInt16, VPADDW)
BINARY(·addInt32, VPADDD)
BINARY(·addInt64, VPADDQ)
BINARY(·addFloat32, VADDPS)
BINARY(·addFloat64, VADDPD)
BINARY(·subInt8, VPSUBB)
BINARY(·subInt16, VPSUBW)
BINARY(·subInt32, VPSUBD)
BINARY(·subInt64, VPSUBQ)
BINARY(·subFloat32, VSUBPS)
BINARY(·subFloat64, VSUBPD)
BINARY(·mulInt16, VPMULLW)
BINARY(·mulInt32, VPMULLD)
BINARY(·mulFloat32, VMULPS)
BINARY(·mulFloat64, VMULPD)
BINARY(·divFloat32, VDIVPS)
BINARY(·divFloat64, VDIVPD)
BINARY(·andBits, VPAND)
BINARY(·orBits, VPOR)
BINARY(·xorBits, VPXOR)

TEXT ·mulInt64(SB), NOSPLIT, $0-48
	ARGS
turn:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VMOVDQU (DX), Y4
	VMOVDQU 32(DX), Y5
	VMOVDQU 64(DX), Y6
	VMOVDQU 96(DX), Y7
	MUL64(Y0, Y4, Y8, Y9)
	MUL64(Y1, Y5, Y10, Y11)
	MUL64(Y2, Y6, Y12, Y13)
	MUL64(Y3, Y7, Y14, Y15)
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	NEXT(128)

COMPARE8(·equalInt8, EQUAL, VPCMPEQB)
COMPARE16(·equalInt16, EQUAL, VPCMPEQW)
COMPARE32(·equalInt32, EQUAL, VPCMPEQD)
COMPARE64(·equalInt64, EQUAL, VPCMPEQQ)
COMPARE8(·greaterInt8, GREATER, VPCMPGTB)
COMPARE16(·greaterInt16, GREATER, VPCMPGTW)
COMPARE32(·greaterInt32, GREATER, VPCMPGTD)
COMPARE64(·greaterInt64, GREATER, VPCMPGTQ)

COMPARE64(·equalFloat64, FLOAT64, 0)
COMPARE64(·lessFloat64, FLOAT64, 0x11)
COMPARE64(·lessEqualFloat64, FLOAT64, 0x12)
COMPARE32(·equalFloat32, FLOAT32, 0)
COMPARE32(·lessFloat32, FLOAT32, 0x11)
COMPARE32(·lessEqualFloat32, FLOAT32, 0x12)
