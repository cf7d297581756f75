package main

// ballastBytes bounds what the collector lets lie around: garbage of about this size is resident beside the live heap. Half a megabyte is one column of a
// block, so a query makes some sixty of them before the next collection, and 32 MiB are 4 % of a dictionary of 100 million small rows.
const ballastBytes = 32 << 20

// ballast makes the collector wait. Dictionaries lie outside the heap, which is so small without them that it would be collected hundreds of times a
// second: half the time of a query over numbers. This block, never touched and so not resident, counts as live while the caller keeps it alive, and the
// next collection comes when as much garbage has been made.
func ballast() []byte { return make([]byte, ballastBytes) }
