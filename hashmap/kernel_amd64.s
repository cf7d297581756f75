//go:build !noasm

#include "go_asm.h"
#include "textflag.h"

// func searchBuckets(k *kernel, s *scratch, n int) (hits, again int)
//
// One key a turn: its bucket is one vector, compared with the hash as a whole. Registers:
//
//	DI kernel, SI scratch, CX bucket shift, R8 keys, R13 key, R9 hits, BX again
//	AX bucket, DX cells that are equal, R10 cell, R12 1 if the bucket's last cell is larger, R11 and R15 spare
TEXT ·searchBuckets(SB), NOSPLIT, $0-40
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
	MOVQ (scratch_home+128)(SI)(R13*8), R15
	SHLXQ CX, R15, R15
	ADDQ kernel_base(DI), R15
	PREFETCHT0 (R15)

	MOVQ scratch_home(SI)(R13*8), AX
	SHLXQ CX, AX, AX
	ADDQ kernel_base(DI), AX
	VPBROADCASTQ scratch_hash(SI)(R13*8), Z0
	VMOVDQU64 (AX), Z1
	VPCMPUQ $0, Z1, Z0, K1
	VPCMPUQ $1, Z1, Z0, K2 // hash < cell
	KMOVB K1, DX
	KMOVB K2, R12
	ANDQ kernel_cells(DI), DX
	MOVQ kernel_last(DI), R11
	SHRXQ R11, R12, R12
	ANDL $1, R12

	// The value of the cell, or of one behind the last.
	MOVL DX, R10
	BTSL $8, R10
	TZCNTL R10, R10
	MOVQ kernel_valueShift(DI), R11
	SHLXQ R11, R10, R10
	ADDQ AX, R10
	MOVQ kernel_values(DI), R11
	MOVQ (R10)(R11*1), R10
	ANDQ kernel_valueMask(DI), R10
	MOVQ scratch_out(SI)(R13*8), R11
	XORL R15, R15
	TESTQ DX, DX
	CMOVQNE R10, R11
	SETNE R15
	// The hash 0 is like an empty cell.
	CMPQ scratch_hash(SI)(R13*8), $0
	JEQ  zero

put:
	MOVQ R11, scratch_out(SI)(R13*8)
	MOVB R15, scratch_found(SI)(R13*1)
	ADDQ R15, R9
	MOVW R13, scratch_again(SI)(BX*2)
	ADDQ R12, BX
	INCQ R13
	CMPQ R13, R8
	JLT  next

done:
	MOVQ R9, hits+24(FP)
	MOVQ BX, again+32(FP)
	VZEROUPPER
	RET

zero:
	XORL R15, R15
	MOVL $1, R12
	JMP put

// func placeKeys(k *kernel, keys *uint64, n int, s *scratch)
//
// hash = Mix64(key ^ seed); home = ^hash * homes >> 64, for homes below 2^32.
TEXT ·placeKeys(SB), NOSPLIT, $0-32
	MOVQ k+0(FP), DI
	MOVQ keys+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), DX
	VPBROADCASTQ kernel_seed(DI), Z0
	MOVQ $0xbf58476d1ce4e5b9, AX
	VPBROADCASTQ AX, Z1
	MOVQ $0x94d049bb133111eb, AX
	VPBROADCASTQ AX, Z2
	VPBROADCASTQ kernel_homes(DI), Z3
	XORQ R8, R8

eight:
	VPXORQ (SI)(R8*8), Z0, Z5
	VPSRLQ $30, Z5, Z6
	VPXORQ Z6, Z5, Z5
	VPMULLQ Z1, Z5, Z5
	VPSRLQ $27, Z5, Z6
	VPXORQ Z6, Z5, Z5
	VPMULLQ Z2, Z5, Z5
	VPSRLQ $31, Z5, Z6
	VPXORQ Z6, Z5, Z5
	VMOVDQU64 Z5, scratch_hash(DX)(R8*8)
	VPTERNLOGQ $0x0f, Z5, Z5, Z5 // not

	// 64 x 32 bits: the high half's product and what the low half's carries into it.
	VPSRLQ $32, Z5, Z6
	VPMULUDQ Z3, Z5, Z7
	VPMULUDQ Z3, Z6, Z8
	VPSRLQ $32, Z7, Z7
	VPADDQ Z7, Z8, Z8
	VPSRLQ $32, Z8, Z8
	VMOVDQU64 Z8, scratch_home(DX)(R8*8)
	ADDQ $8, R8
	CMPQ R8, CX
	JLT  eight
	VZEROUPPER
	RET
