// Decompresses LZ4 blocks with liblz4, to compare its speed with dictsvc's.
//
// The blocks come on the standard input: their number, then of each the bytes it unpacks to, its packed bytes, and these; numbers are 64 bits
// in the machine's order. The first line out is the library's version. Then each byte that comes in asks for one pass over all blocks, which
// is answered with a line: the pass's nanoseconds and a checksum of what was unpacked, or the number of the block that is damaged.
#include <lz4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct block {
	uint64_t unpacked, packed;
	char *bytes;
};

static int read_all(void *into, size_t n) { return fread(into, 1, n, stdin) == n; }

static uint64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void) {
	uint64_t n, largest = 0;
	if (!read_all(&n, sizeof n)) return 2;
	struct block *blocks = calloc(n, sizeof *blocks);
	if (!blocks) return 2;
	for (uint64_t i = 0; i < n; i++) {
		if (!read_all(&blocks[i].unpacked, 8) || !read_all(&blocks[i].packed, 8)) return 2;
		blocks[i].bytes = malloc(blocks[i].packed);
		if (!blocks[i].bytes || !read_all(blocks[i].bytes, blocks[i].packed)) return 2;
		if (blocks[i].unpacked > largest) largest = blocks[i].unpacked;
	}
	char *out = malloc(largest);
	if (!out) return 2;
	printf("%s\n", LZ4_versionString());
	fflush(stdout);
	while (getchar() != EOF) {
		uint64_t sum = 0, start = now();
		for (uint64_t i = 0; i < n; i++) {
			int got = LZ4_decompress_safe(blocks[i].bytes, out, (int)blocks[i].packed, (int)blocks[i].unpacked);
			if (got < 0 || (uint64_t)got != blocks[i].unpacked) {
				printf("block %llu is damaged\n", (unsigned long long)i);
				return 1;
			}
			sum += (unsigned char)out[got - 1] + (unsigned char)out[got / 2];
		}
		printf("%llu %llu\n", (unsigned long long)(now() - start), (unsigned long long)sum);
		fflush(stdout);
	}
	return 0;
}
