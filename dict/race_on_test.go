//go:build race

package dict

// raceDetector tells that memory and time are the race detector's and tell nothing of the program.
const raceDetector = true
