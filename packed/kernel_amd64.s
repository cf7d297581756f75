//go:build !noasm

#include "go_asm.h"
#include "textflag.h"

// MIXERS loads Mix64's multipliers; MIX is hashmap.Mix64 of the eight words in Z5, with Z6 for its use.
#define MIXERS \
	MOVQ $0xbf58476d1ce4e5b9, AX; \
	VPBROADCASTQ AX, Z1; \
	MOVQ $0x94d049bb133111eb, AX; \
	VPBROADCASTQ AX, Z2

#define MIX \
	VPSRLQ $30, Z5, Z6; \
	VPXORQ Z6, Z5, Z5; \
	VPMULLQ Z1, Z5, Z5; \
	VPSRLQ $27, Z5, Z6; \
	VPXORQ Z6, Z5, Z5; \
	VPMULLQ Z2, Z5, Z5; \
	VPSRLQ $31, Z5, Z6; \
	VPXORQ Z6, Z5, Z5

// func searchLines(k *kernel, s *scratch, n int, choice uint64) (hits, again int)
//
// One key a turn, without a branch that depends on whether it is there. Registers:
//
//	DI kernel, SI scratch, CX line shift, R8 keys, R13 key, R9 hits, BX again
//	AX line, R14 rest, DX candidates, R10 slot, R12 head, R15 0 if the slot is the key's, R11 spare
TEXT ·searchLines(SB), NOSPLIT, $0-48
	MOVQ k+0(FP), DI
	MOVQ s+8(FP), SI
	MOVQ n+16(FP), R8
	MOVQ kernel_shift(DI), CX
	XORQ R13, R13
	XORQ R9, R9
	XORQ BX, BX
	CMPQ R13, R8
	JGE  done

next:
	// Ask for the line of the key that comes later.
	MOVQ (scratch_line+8*const_ahead)(SI)(R13*8), R15
	SHLXQ CX, R15, R15
	ADDQ kernel_base(DI), R15
	MOVQ kernel_second(DI), R11
	CMPQ kernel_far(DI), $0
	JNE  far
	PREFETCHT0 (R15)
	PREFETCHT0 (R15)(R11*1)

here:
	MOVQ scratch_line(SI)(R13*8), AX
	SHLXQ CX, AX, AX
	ADDQ kernel_base(DI), AX
	MOVQ scratch_rest(SI)(R13*8), R14

	// Slots in use whose tag is the rest's low byte, and bit 16 as the end.
	MOVQ kernel_head(DI), R11
	VMOVDQU (AX)(R11*1), X1
	VPBROADCASTB scratch_rest(SI)(R13*8), X2
	VPCMPEQB X1, X2, X2
	VPMOVMSKB X2, DX
	MOVL (AX), R12
	MOVL R12, R11
	ANDL $31, R11
	BZHIL R11, DX, DX
	BTSL $16, DX

try:
	TZCNTL DX, R10
	MOVBLZX kernel_restShift(DI)(R10*1), R11
	MOVBLZX kernel_restAt(DI)(R10*1), R15
	MOVQ (AX)(R15*1), R15
	SHRXQ R11, R15, R15
	ANDQ kernel_restMask(DI), R15
	MOVQ R14, R11
	SHRQ $8, R11
	ADDQ R11, R11
	ORQ  choice+24(FP), R11
	XORQ R11, R15
	MOVQ R10, R11
	SHRQ $4, R11
	ORQ  R11, R15 // not 0 where there was no candidate

	// More candidates, looked at only if this one is not the key.
	BLSRL DX, DX
	MOVL DX, R11
	ANDL $0xffff, R11
	TESTQ R15, R15
	CMOVQEQ R15, R11
	TESTL R11, R11
	JNE  try

	// The value, written where the key is there.
	MOVBLZX kernel_valueShift(DI)(R10*1), R11
	MOVBLZX kernel_valueAt(DI)(R10*1), R10
	MOVQ (AX)(R10*1), R10
	SHRXQ R11, R10, R10
	ANDQ kernel_valueMask(DI), R10
	MOVQ scratch_out(SI)(R13*8), R11
	XORL DX, DX
	TESTQ R15, R15
	CMOVQEQ R10, R11
	SETEQ DX
	MOVQ R11, scratch_out(SI)(R13*8)
	MOVB DX, scratch_found(SI)(R13*1)
	ADDQ DX, R9

	// The mark of the rest: bit 5 + ((rest * C) >> 32) * marks >> 32 of the head.
	MOVQ $0xd6e8feb86659fd93, R11
	IMULQ R11, R14
	SHRQ $32, R14
	IMULQ kernel_marks(DI), R14
	SHRQ $32, R14
	ADDL $5, R14
	SHRXL R14, R12, R12
	ANDNL R12, DX, R12
	ANDL $1, R12
	MOVW R13, scratch_again(SI)(BX*2)
	ADDQ R12, BX

	INCQ R13
	CMPQ R13, R8
	JLT  next

	JMP  done

far:
	PREFETCHNTA (R15)
	PREFETCHNTA (R15)(R11*1)
	JMP  here

done:
	MOVQ R9, hits+32(FP)
	MOVQ BX, again+40(FP)
	VZEROUPPER
	RET

// func placeKeys(k *kernel, keys *uint64, n int, s *scratch)
//
// hash = Mix64(key ^ seed); line = hash * lines >> 64; rest = (hash * lines mod 2^64) >> drop, for lines below 2^32.
TEXT ·placeKeys(SB), NOSPLIT, $0-32
	MOVQ k+0(FP), DI
	MOVQ keys+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), DX
	VPBROADCASTQ kernel_seed(DI), Z0
	MIXERS
	VPBROADCASTQ kernel_lines(DI), Z3
	VMOVQ kernel_drop(DI), X4
	MOVL $0x5555, AX
	KMOVW AX, K1
	XORQ R8, R8

eight:
	VPXORQ (SI)(R8*8), Z0, Z5
	MIX

	// 64 x 32 bits: the high half's product and what the low half's carries into it.
	VPSRLQ $32, Z5, Z6
	VPMULUDQ Z3, Z5, Z7
	VPMULUDQ Z3, Z6, Z8
	VPSRLQ $32, Z7, Z9
	VPADDQ Z9, Z8, Z8
	VPSRLQ $32, Z8, Z9
	VMOVDQU64 Z9, scratch_line(DX)(R8*8)
	VPSLLQ $32, Z8, Z8
	VMOVDQA32 Z7, K1, Z8
	VPSRLQ X4, Z8, Z8
	VMOVDQU64 Z8, scratch_rest(DX)(R8*8)
	ADDQ $8, R8
	CMPQ R8, CX
	JLT  eight
	VZEROUPPER
	RET

// func filterKeys(keys, values *uint64, n int, seed, shift, first, count uint64, out *keptRows) int
//
// Eight rows a turn; those to be kept are moved together and written over what the turn before wrote behind its own.
TEXT ·filterKeys(SB), NOSPLIT, $0-72
	MOVQ keys+0(FP), SI
	MOVQ values+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ out+56(FP), DX
	VPBROADCASTQ seed+24(FP), Z0
	MIXERS
	VMOVQ shift+32(FP), X3
	VPBROADCASTQ first+40(FP), Z4
	VPBROADCASTQ count+48(FP), Z10
	XORQ R8, R8
	XORQ R9, R9

eight:
	VPXORQ (SI)(R8*8), Z0, Z5
	MIX
	VPSRLQ X3, Z5, Z6
	VPSUBQ Z4, Z6, Z6
	VPCMPUQ $1, Z10, Z6, K1
	VMOVDQU64 (DI)(R8*8), Z7
	VPCOMPRESSQ Z5, K1, Z5
	VPCOMPRESSQ Z7, K1, Z7
	VMOVDQU64 Z5, keptRows_hash(DX)(R9*8)
	VMOVDQU64 Z7, keptRows_value(DX)(R9*8)
	KMOVB K1, AX
	POPCNTL AX, AX
	ADDQ AX, R9
	ADDQ $8, R8
	CMPQ R8, CX
	JLT  eight
	MOVQ R9, ret+64(FP)
	VZEROUPPER
	RET
