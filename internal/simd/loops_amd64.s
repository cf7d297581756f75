//go:build !noasm

#include "textflag.h"

// COMPRESS copies the values whose byte of keep is not 0 and gives the place behind the last one written. A turn looks at 32 of them: none or all
// of a run of rows stay often, else each that stays is copied by itself.
#define COMPRESS(NAME, SIZE, LOAD, STORE, COPY) \
TEXT NAME(SB), NOSPLIT, $0-40; \
	MOVQ out+0(FP), DI; \
	MOVQ data+8(FP), SI; \
	MOVQ keep+16(FP), DX; \
	MOVQ turns+24(FP), CX; \
	VPXOR Y15, Y15, Y15; \
turn: \
	VPCMPEQB (DX), Y15, Y0; \
	VPMOVMSKB Y0, AX; \
	NOTL AX; \
	TESTL AX, AX; \
	JZ   next; \
	CMPL AX, $-1; \
	JEQ  all; \
some: \
	TZCNTL AX, BX; \
	LOAD (SI)(BX*SIZE), R10; \
	STORE R10, (DI); \
	ADDQ $SIZE, DI; \
	BLSRL AX, AX; \
	JNZ  some; \
	JMP  next; \
all: \
	COPY; \
	ADDQ $(32*SIZE), DI; \
next: \
	ADDQ $32, DX; \
	ADDQ $(32*SIZE), SI; \
	DECQ CX; \
	JNZ  turn; \
	MOVQ DI, ret+32(FP); \
	VZEROUPPER; \
	RET

#define MOVE(OFF) \
	VMOVDQU OFF(SI), Y1; \
	VMOVDQU Y1, OFF(DI)

#define COPY8 MOVE(0)
#define COPY16 MOVE(0); MOVE(32)
#define COPY32 MOVE(0); MOVE(32); MOVE(64); MOVE(96)
#define COPY64 MOVE(0); MOVE(32); MOVE(64); MOVE(96); MOVE(128); MOVE(160); MOVE(192); MOVE(224)

// SELECT takes a value of a where the condition's byte is not 0 and of b elsewhere, 16 or 32 a turn.
#define SELECT_ARGS \
	MOVQ out+0(FP), DI; \
	MOVQ cond+8(FP), R10; \
	MOVQ a+16(FP), SI; \
	MOVQ b+24(FP), DX; \
	MOVQ turns+32(FP), CX; \
	MOVQ strideA+40(FP), R8; \
	MOVQ strideB+48(FP), R9; \
	VPXOR Y15, Y15, Y15

#define SELECT_NEXT(ROWS, SIZE) \
	ADDQ R8, SI; \
	ADDQ R9, DX; \
	ADDQ $ROWS, R10; \
	ADDQ $SIZE, DI; \
	DECQ CX; \
	JNZ  turn; \
	VZEROUPPER; \
	RET

#define CHOOSE64(FROM, OFF) \
	VPMOVZXBQ FROM(R10), Y0; \
	VPCMPEQQ Y15, Y0, Y0; \
	VMOVUPD OFF(SI), Y1; \
	VBLENDVPD Y0, OFF(DX), Y1, Y1; \
	VMOVUPD Y1, OFF(DI)

#define CHOOSE32(FROM, OFF) \
	VPMOVZXBD FROM(R10), Y0; \
	VPCMPEQD Y15, Y0, Y0; \
	VMOVUPS OFF(SI), Y1; \
	VBLENDVPS Y0, OFF(DX), Y1, Y1; \
	VMOVUPS Y1, OFF(DI)

// The sums take (sums, data, turns); a turn adds 16 values to the 16 or 4 partial sums, which begin with what stands there.
#define SUM_ARGS \
	MOVQ sums+0(FP), DI; \
	MOVQ data+8(FP), SI; \
	MOVQ turns+16(FP), CX; \
	VMOVDQU (DI), Y0; \
	VMOVDQU 32(DI), Y1; \
	VMOVDQU 64(DI), Y2; \
	VMOVDQU 96(DI), Y3

#define SUM_NEXT(SIZE) \
	ADDQ $SIZE, SI; \
	DECQ CX; \
	JNZ  turn; \
	VMOVDQU Y0, (DI); \
	VMOVDQU Y1, 32(DI); \
	VMOVDQU Y2, 64(DI); \
	VMOVDQU Y3, 96(DI); \
	VZEROUPPER; \
	RET

// SUM widens words of SIZE bytes and adds them.
#define SUM(NAME, WIDEN, ADD, SIZE) \
TEXT NAME(SB), NOSPLIT, $0-24; \
	SUM_ARGS; \
turn: \
	WIDEN (SI), Y4; \
	WIDEN (4*SIZE)(SI), Y5; \
	WIDEN (8*SIZE)(SI), Y6; \
	WIDEN (12*SIZE)(SI), Y7; \
	ADD Y4, Y0, Y0; \
	ADD Y5, Y1, Y1; \
	ADD Y6, Y2, Y2; \
	ADD Y7, Y3, Y3; \
	SUM_NEXT(16*SIZE)

// EXTREME keeps the least or greatest of each place of 128 bytes and leaves those of 32 bytes in out.
#define EXTREME(NAME, OP) \
TEXT NAME(SB), NOSPLIT, $0-24; \
	MOVQ out+0(FP), DI; \
	MOVQ data+8(FP), SI; \
	MOVQ turns+16(FP), CX; \
	VMOVDQU (SI), Y0; \
	VMOVDQU 32(SI), Y1; \
	VMOVDQU 64(SI), Y2; \
	VMOVDQU 96(SI), Y3; \
turn: \
	OP (SI), Y0, Y0; \
	OP 32(SI), Y1, Y1; \
	OP 64(SI), Y2, Y2; \
	OP 96(SI), Y3, Y3; \
	ADDQ $128, SI; \
	DECQ CX; \
	JNZ  turn; \
	OP Y1, Y0, Y0; \
	OP Y3, Y2, Y2; \
	OP Y2, Y0, Y0; \
	VMOVDQU Y0, (DI); \
	VZEROUPPER; \
	RET

// Words of 64 bits are compared and chosen; bias is the sign bit of unsigned ones, and what is left in out has it turned round.
#define LESS(X, Y, M) \
	VPCMPGTQ X, Y, M; \
	VBLENDVPD M, X, Y, Y

#define MORE(X, Y, M) \
	VPCMPGTQ Y, X, M; \
	VBLENDVPD M, X, Y, Y

#define EXTREME64(NAME, KEEP) \
TEXT NAME(SB), NOSPLIT, $0-32; \
	MOVQ out+0(FP), DI; \
	MOVQ data+8(FP), SI; \
	MOVQ turns+16(FP), CX; \
	VPBROADCASTQ bias+24(FP), Y15; \
	VPXOR (SI), Y15, Y0; \
	VPXOR 32(SI), Y15, Y1; \
	VPXOR 64(SI), Y15, Y2; \
	VPXOR 96(SI), Y15, Y3; \
turn: \
	VPXOR (SI), Y15, Y4; \
	VPXOR 32(SI), Y15, Y5; \
	VPXOR 64(SI), Y15, Y6; \
	VPXOR 96(SI), Y15, Y7; \
	KEEP(Y4, Y0, Y8); \
	KEEP(Y5, Y1, Y9); \
	KEEP(Y6, Y2, Y10); \
	KEEP(Y7, Y3, Y11); \
	ADDQ $128, SI; \
	DECQ CX; \
	JNZ  turn; \
	KEEP(Y1, Y0, Y8); \
	KEEP(Y3, Y2, Y9); \
	KEEP(Y2, Y0, Y8); \
	VMOVDQU Y0, (DI); \
	VZEROUPPER; \
	RET

// NANS tells whether any of the values is NaN, 128 bytes a turn.
#define NANS(NAME, CMP, ORED, MASK) \
TEXT NAME(SB), NOSPLIT, $0-20; \
	MOVQ data+0(FP), SI; \
	MOVQ turns+8(FP), CX; \
	VPXOR Y4, Y4, Y4; \
turn: \
	VMOVUPD (SI), Y0; \
	VMOVUPD 32(SI), Y1; \
	VMOVUPD 64(SI), Y2; \
	VMOVUPD 96(SI), Y3; \
	CMP $3, Y1, Y0, Y0; \
	CMP $3, Y3, Y2, Y2; \
	ORED Y0, Y4, Y4; \
	ORED Y2, Y4, Y4; \
	ADDQ $128, SI; \
	DECQ CX; \
	JNZ  turn; \
	MASK Y4, AX; \
	MOVL AX, ret+16(FP); \
	VZEROUPPER; \
	RET

// The conversions take (out, in, turns); a turn makes 16 words.
#define CONVERT(NAME, WIDEN, SIZE) \
TEXT NAME(SB), NOSPLIT, $0-24; \
	MOVQ out+0(FP), DI; \
	MOVQ in+8(FP), SI; \
	MOVQ turns+16(FP), CX; \
turn: \
	WIDEN (SI), Y0; \
	WIDEN (4*SIZE)(SI), Y1; \
	WIDEN (8*SIZE)(SI), Y2; \
	WIDEN (12*SIZE)(SI), Y3; \
	VMOVUPD Y0, (DI); \
	VMOVUPD Y1, 32(DI); \
	VMOVUPD Y2, 64(DI); \
	VMOVUPD Y3, 96(DI); \
	ADDQ $(16*SIZE), SI; \
	ADDQ $128, DI; \
	DECQ CX; \
	JNZ  turn; \
	VZEROUPPER; \
	RET

// A word becomes a float in two halves, each exact: the low one as 2^52 + low, the high one as 2^84 + high, and one addition that rounds.
#define CONST64(VALUE, Y, X) \
	MOVQ $VALUE, AX; \
	MOVQ AX, X; \
	VPBROADCASTQ X, Y

#define FLOAT(OFF) \
	VMOVDQU OFF(SI), Y0; \
	VPBLENDD $0xAA, Y12, Y0, Y1; \
	VPSRLQ $32, Y0, Y0; \
	VPXOR Y13, Y0, Y0; \
	VSUBPD Y14, Y0, Y0; \
	VADDPD Y1, Y0, Y0; \
	VMOVUPD Y0, OFF(DI)

#define FLOATS(NAME, HIGH, BOTH) \
TEXT NAME(SB), NOSPLIT, $0-24; \
	MOVQ out+0(FP), DI; \
	MOVQ in+8(FP), SI; \
	MOVQ turns+16(FP), CX; \
	CONST64(0x4330000000000000, Y12, X12); \
	CONST64(HIGH, Y13, X13); \
	CONST64(BOTH, Y14, X14); \
turn: \
	FLOAT(0); \
	FLOAT(32); \
	FLOAT(64); \
	FLOAT(96); \
	ADDQ $128, SI; \
	ADDQ $128, DI; \
	DECQ CX; \
	JNZ  turn; \
	VZEROUPPER; \
	RET

// The narrowings keep the low bits of words of 64 bits, 32 a turn.
#define LOAD8 \
	VMOVUPS (SI), Y0; \
	VMOVUPS 64(SI), Y2; \
	VMOVUPS 128(SI), Y4; \
	VMOVUPS 192(SI), Y6; \
	VSHUFPS $0x88, 32(SI), Y0, Y0; \
	VSHUFPS $0x88, 96(SI), Y2, Y2; \
	VSHUFPS $0x88, 160(SI), Y4, Y4; \
	VSHUFPS $0x88, 224(SI), Y6, Y6

#define NARROW_NEXT(SIZE) \
	ADDQ $256, SI; \
	ADDQ $SIZE, DI; \
	DECQ CX; \
	JNZ  turn; \
	VZEROUPPER; \
	RET

#define NARROW_ARGS \
	MOVQ out+0(FP), DI; \
	MOVQ in+8(FP), SI; \
	MOVQ turns+16(FP), CX

// TIMES is X times a constant M, whose high half is in MH.
#define TIMES(X, M, MH, H, L) \
	VPSRLQ $32, X, H; \
	VPMULUDQ M, H, H; \
	VPMULUDQ MH, X, L; \
	VPADDQ H, L, H; \
	VPSLLQ $32, H, H; \
	VPMULUDQ M, X, X; \
	VPADDQ H, X, X

#define MIX(X, BITS, H) \
	VPSRLQ $BITS, X, H; \
	VPXOR H, X, X

#define HASH64(OFF, X, H, L) \
	VPXOR OFF(SI), Y15, X; \
	MIX(X, 33, H); \
	TIMES(X, Y14, Y13, H, L); \
	MIX(X, 33, H); \
	TIMES(X, Y12, Y11, H, L); \
	MIX(X, 33, H); \
	VMOVDQU X, OFF(DI)

// ROTATED mixes in X turned right by RIGHT bits, left by LEFT = 64 - RIGHT.
#define ROTATED(X, RIGHT, LEFT, H, L) \
	VPSRLQ $RIGHT, X, H; \
	VPSLLQ $LEFT, X, L; \
	VPXOR H, X, X; \
	VPXOR L, X, X

#define HASH32(OFF, X, H, L) \
	VPXOR OFF(SI), Y15, X; \
	VPSLLQ $18, X, H; \
	VPXOR Y14, X, X; \
	VPADDQ H, X, X; \
	ROTATED(X, 31, 33, H, L); \
	VPSLLQ $2, X, H; \
	VPSLLQ $4, X, L; \
	VPADDQ H, X, X; \
	VPADDQ L, X, X; \
	ROTATED(X, 11, 53, H, L); \
	VPSLLQ $6, X, H; \
	VPADDQ H, X, X; \
	ROTATED(X, 22, 42, H, L)

COMPRESS(·compress8, 1, MOVBLZX, MOVB, COPY8)
COMPRESS(·compress16, 2, MOVWLZX, MOVW, COPY16)
COMPRESS(·compress32, 4, MOVL, MOVL, COPY32)
COMPRESS(·compress64, 8, MOVQ, MOVQ, COPY64)

TEXT ·select64(SB), NOSPLIT, $0-56
	SELECT_ARGS
turn:
	CHOOSE64(0, 0)
	CHOOSE64(4, 32)
	CHOOSE64(8, 64)
	CHOOSE64(12, 96)
	SELECT_NEXT(16, 128)

TEXT ·select32(SB), NOSPLIT, $0-56
	SELECT_ARGS
turn:
	CHOOSE32(0, 0)
	CHOOSE32(8, 32)
	CHOOSE32(16, 64)
	CHOOSE32(24, 96)
	SELECT_NEXT(32, 128)

TEXT ·select8(SB), NOSPLIT, $0-56
	SELECT_ARGS
turn:
	VPCMPEQB (R10), Y15, Y0
	VMOVDQU (SI), Y1
	VPBLENDVB Y0, (DX), Y1, Y1
	VMOVDQU Y1, (DI)
	SELECT_NEXT(32, 32)

SUM(·sumInt64, VMOVDQU, VPADDQ, 8)
SUM(·sumUint32, VPMOVZXDQ, VPADDQ, 4)
SUM(·sumInt32, VPMOVSXDQ, VPADDQ, 4)
SUM(·sumUint16, VPMOVZXWQ, VPADDQ, 2)
SUM(·sumInt16, VPMOVSXWQ, VPADDQ, 2)
SUM(·sumInt8, VPMOVSXBQ, VPADDQ, 1)
SUM(·sumFloat64, VMOVUPD, VADDPD, 8)
SUM(·sumFloat32, VCVTPS2PD, VADDPD, 4)

// sumUint8 adds 128 bytes a turn.
TEXT ·sumUint8(SB), NOSPLIT, $0-24
	SUM_ARGS
	VPXOR Y15, Y15, Y15
turn:
	VPSADBW (SI), Y15, Y4
	VPSADBW 32(SI), Y15, Y5
	VPSADBW 64(SI), Y15, Y6
	VPSADBW 96(SI), Y15, Y7
	VPADDQ Y4, Y0, Y0
	VPADDQ Y5, Y1, Y1
	VPADDQ Y6, Y2, Y2
	VPADDQ Y7, Y3, Y3
	SUM_NEXT(128)

EXTREME(·minUint8, VPMINUB)
EXTREME(·maxUint8, VPMAXUB)
EXTREME(·minInt8, VPMINSB)
EXTREME(·maxInt8, VPMAXSB)
EXTREME(·minUint16, VPMINUW)
EXTREME(·maxUint16, VPMAXUW)
EXTREME(·minInt16, VPMINSW)
EXTREME(·maxInt16, VPMAXSW)
EXTREME(·minUint32, VPMINUD)
EXTREME(·maxUint32, VPMAXUD)
EXTREME(·minInt32, VPMINSD)
EXTREME(·maxInt32, VPMAXSD)
EXTREME(·minFloat64, VMINPD)
EXTREME(·maxFloat64, VMAXPD)
EXTREME(·minFloat32, VMINPS)
EXTREME(·maxFloat32, VMAXPS)

EXTREME64(·minInt64, LESS)
EXTREME64(·maxInt64, MORE)

NANS(·nansFloat64, VCMPPD, VORPD, VMOVMSKPD)
NANS(·nansFloat32, VCMPPS, VORPS, VMOVMSKPS)

CONVERT(·extendUint8, VPMOVZXBQ, 1)
CONVERT(·extendUint16, VPMOVZXWQ, 2)
CONVERT(·extendUint32, VPMOVZXDQ, 4)
CONVERT(·extendInt8, VPMOVSXBQ, 1)
CONVERT(·extendInt16, VPMOVSXWQ, 2)
CONVERT(·extendInt32, VPMOVSXDQ, 4)
CONVERT(·floatInt32, VCVTDQ2PD, 4)
CONVERT(·floatFloat32, VCVTPS2PD, 4)
CONVERT(·sqrtFloat64, VSQRTPD, 8)

// 2^84 and 2^84 + 2^52; of signed words the high half has its sign bit turned round, and 2^63 is taken off again.
FLOATS(·floatUint64, 0x4530000000000000, 0x4530000000100000)
FLOATS(·floatInt64, 0x4530000080000000, 0x4530000080100000)

TEXT ·narrow32(SB), NOSPLIT, $0-24
	NARROW_ARGS
turn:
	LOAD8
	VPERMQ $0xD8, Y0, Y0
	VPERMQ $0xD8, Y2, Y2
	VPERMQ $0xD8, Y4, Y4
	VPERMQ $0xD8, Y6, Y6
	VMOVDQU Y0, (DI)
	VMOVDQU Y2, 32(DI)
	VMOVDQU Y4, 64(DI)
	VMOVDQU Y6, 96(DI)
	NARROW_NEXT(128)

TEXT ·narrow16(SB), NOSPLIT, $0-24
	NARROW_ARGS
	CONST64(0x0000FFFF0000FFFF, Y15, X15)
turn:
	LOAD8
	VPAND Y15, Y0, Y0
	VPAND Y15, Y2, Y2
	VPAND Y15, Y4, Y4
	VPAND Y15, Y6, Y6
	VPACKUSDW Y2, Y0, Y0
	VPACKUSDW Y6, Y4, Y4
	VEXTRACTI128 $1, Y0, X1
	VPUNPCKLDQ X1, X0, X2
	VPUNPCKHDQ X1, X0, X3
	VMOVDQU X2, (DI)
	VMOVDQU X3, 16(DI)
	VEXTRACTI128 $1, Y4, X1
	VPUNPCKLDQ X1, X4, X2
	VPUNPCKHDQ X1, X4, X3
	VMOVDQU X2, 32(DI)
	VMOVDQU X3, 48(DI)
	NARROW_NEXT(64)

TEXT ·narrow8(SB), NOSPLIT, $0-24
	NARROW_ARGS
	CONST64(0x000000FF000000FF, Y15, X15)
turn:
	LOAD8
	VPAND Y15, Y0, Y0
	VPAND Y15, Y2, Y2
	VPAND Y15, Y4, Y4
	VPAND Y15, Y6, Y6
	VPACKUSDW Y2, Y0, Y0
	VPACKUSDW Y6, Y4, Y4
	VPACKUSWB Y4, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPUNPCKLWD X1, X0, X2
	VPUNPCKHWD X1, X0, X3
	VMOVDQU X2, (DI)
	VMOVDQU X3, 16(DI)
	NARROW_NEXT(32)

// steps writes first, first + step, ..., 16 a turn.
TEXT ·steps(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ turns+8(FP), CX
	MOVQ first+16(FP), AX
	MOVQ step+24(FP), BX
	MOVQ AX, X0
	ADDQ BX, AX
	MOVQ AX, X1
	ADDQ BX, AX
	MOVQ AX, X2
	ADDQ BX, AX
	MOVQ AX, X3
	VPUNPCKLQDQ X1, X0, X0
	VPUNPCKLQDQ X3, X2, X2
	VINSERTI128 $1, X2, Y0, Y0
	SHLQ $2, BX
	MOVQ BX, X4
	VPBROADCASTQ X4, Y4
	VPADDQ Y4, Y0, Y1
	VPADDQ Y4, Y1, Y2
	VPADDQ Y4, Y2, Y3
	VPSLLQ $2, Y4, Y4
turn:
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VPADDQ Y4, Y0, Y0
	VPADDQ Y4, Y1, Y1
	VPADDQ Y4, Y2, Y2
	VPADDQ Y4, Y3, Y3
	ADDQ $128, DI
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET

// hash64 is intHash64, 16 words a turn.
TEXT ·hash64(SB), NOSPLIT, $0-24
	NARROW_ARGS
	CONST64(0x4CF2D2BAAE6DA887, Y15, X15)
	CONST64(0xff51afd7ed558ccd, Y14, X14)
	VPSRLQ $32, Y14, Y13
	CONST64(0xc4ceb9fe1a85ec53, Y12, X12)
	VPSRLQ $32, Y12, Y11
turn:
	HASH64(0, Y0, Y1, Y2)
	HASH64(32, Y3, Y4, Y5)
	HASH64(64, Y6, Y7, Y8)
	HASH64(96, Y0, Y1, Y2)
	ADDQ $128, SI
	ADDQ $128, DI
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET

// hash32 is intHash32, 8 words a turn.
TEXT ·hash32(SB), NOSPLIT, $0-24
	NARROW_ARGS
	CONST64(0x75D9543DE018BF45, Y15, X15)
	VPCMPEQD Y14, Y14, Y14
turn:
	HASH32(0, Y0, Y1, Y2)
	HASH32(32, Y3, Y4, Y5)
	VSHUFPS $0x88, Y3, Y0, Y0
	VPERMQ $0xD8, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET
