//go:build !noasm

#include "textflag.h"

// func prefetch(base unsafe.Pointer, line *uint64, n int, shift uint)
TEXT ·prefetch(SB), NOSPLIT, $0-32
	MOVQ base+0(FP), DI
	MOVQ line+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ shift+24(FP), CX
	TESTQ DX, DX
	JLE  done
	CMPQ CX, $7
	JGE  pair

next:
	MOVQ (SI), AX
	SHLQ CX, AX
	PREFETCHT0 (DI)(AX*1)
	ADDQ $8, SI
	DECQ DX
	JNZ  next
	RET

pair:
	MOVQ (SI), AX
	SHLQ CX, AX
	PREFETCHT0 (DI)(AX*1)
	PREFETCHT0 64(DI)(AX*1)
	ADDQ $8, SI
	DECQ DX
	JNZ  pair

done:
	RET
