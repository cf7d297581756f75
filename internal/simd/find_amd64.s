//go:build !noasm

#include "textflag.h"

// func candidates(masks, data place, turns, d int, first, last uint64)
TEXT ·candidates(SB), NOSPLIT, $0-48
	MOVQ masks+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ turns+16(FP), CX
	MOVQ d+24(FP), DX
	MOVQ first+32(FP), AX
	MOVQ AX, X0
	VPBROADCASTB X0, Y0
	MOVQ last+40(FP), AX
	MOVQ AX, X1
	VPBROADCASTB X1, Y1

turn:
	VPCMPEQB (SI), Y0, Y2
	VPCMPEQB (SI)(DX*1), Y1, Y3
	VPAND Y2, Y3, Y2
	VPMOVMSKB Y2, AX
	MOVL AX, (DI)
	ADDQ $32, SI
	ADDQ $4, DI
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET
