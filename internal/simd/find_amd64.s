//go:build !noasm

#include "textflag.h"

// func candidates(data place, turns, d int, first, last uint64) (left int, mask uint32)
TEXT ·candidates(SB), NOSPLIT, $0-52
	MOVQ data+0(FP), SI
	MOVQ turns+8(FP), CX
	MOVQ d+16(FP), DX
	MOVQ first+24(FP), AX
	MOVQ AX, X0
	VPBROADCASTB X0, Y0
	MOVQ last+32(FP), AX
	MOVQ AX, X1
	VPBROADCASTB X1, Y1
	XORL AX, AX

turn:
	VPCMPEQB (SI), Y0, Y2
	VPCMPEQB (SI)(DX*1), Y1, Y3
	VPAND Y2, Y3, Y2
	VPMOVMSKB Y2, AX
	TESTL AX, AX
	JNZ  found
	ADDQ $32, SI
	DECQ CX
	JNZ  turn

found:
	MOVQ CX, left+40(FP)
	MOVL AX, mask+48(FP)
	VZEROUPPER
	RET
