// Command users writes the file of the loading benchmark: JSON rows {id, name, country, score, seg}, about 103 bytes each.
//
//	go run ./bench/users 5000000 > users.jsonl
package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

func main() {
	n := 5_000_000
	if len(os.Args) > 1 {
		var err error
		if n, err = strconv.Atoi(os.Args[1]); err != nil || n < 0 {
			fmt.Fprintln(os.Stderr, "usage: users [ROWS]")
			os.Exit(2)
		}
	}
	countries := make([]string, 200)
	for i := range countries {
		countries[i] = fmt.Sprintf("Country-%09d", i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	var b []byte
	for i := 1; i <= n; i++ {
		b = append(b[:0], `{"id":`...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, `,"name":"user-`...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, `@example.org","country":"`...)
		b = append(b, countries[r.IntN(len(countries))]...)
		b = append(b, `","score":`...)
		b = strconv.AppendFloat(b, float64(r.IntN(1000))/10, 'f', 1, 64)
		b = append(b, `,"seg":`...)
		b = strconv.AppendInt(b, int64(r.IntN(65536)), 10)
		b = append(b, "}\n"...)
		if _, err := w.Write(b); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
