// Command gen writes the JSONL file that loading is measured with: rows of about 103 bytes,
//
//	{"id":17,"name":"user-17@example.org","country":"Land of number 42","score":12.3,"seg":4711}
//
// the same for the same arguments.
//
//	go run ./bench/gen -rows 5000000 > users.jsonl
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

func main() {
	rows := flag.Int("rows", 5_000_000, "rows")
	seed := flag.Uint64("seed", 1, "seed of the random values")
	spaces := flag.Bool("spaces", false, "spaces behind colons and commas, as Python writes them")
	flag.Parse()
	if err := write(*rows, *seed, *spaces); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(rows int, seed uint64, spaces bool) error {
	r := rand.New(rand.NewPCG(seed, 0))
	countries := make([]string, 200)
	for i := range countries {
		countries[i] = fmt.Sprintf("Land of number %d", i)
	}
	colon, comma := `":`, `,"`
	if spaces {
		colon, comma = `": `, `, "`
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	var b []byte
	for id := range rows {
		b = append(b[:0], `{"id`+colon...)
		b = strconv.AppendInt(b, int64(id), 10)
		b = append(b, comma+`name`+colon+`"user-`...)
		b = strconv.AppendInt(b, int64(id), 10)
		b = append(b, `@example.org"`+comma+`country`+colon+`"`...)
		b = append(b, countries[r.IntN(len(countries))]...)
		b = append(b, `"`+comma+`score`+colon...)
		b = strconv.AppendFloat(b, float64(r.IntN(1000))/10, 'f', 1, 64)
		b = append(b, comma+`seg`+colon...)
		b = strconv.AppendInt(b, int64(r.IntN(65536)), 10)
		b = append(b, "}\n"...)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Flush()
}
