// Package conformance compares dictsvc with ClickHouse 26.7, statement by
// statement.
//
// testdata/<subject>.sql is a script: statements that end with ';' at the end of
// a line and run in order, in one session of one fresh server. A line between
// statements that begins with "--" is a comment; "-- differs: why" marks the next
// statement as one that dictsvc answers otherwise on purpose, and the lines
// "-- ours: ..." below it hold that answer.
//
// testdata/<subject>.out holds ClickHouse's answers, one block a statement:
//
//	-- 1: SELECT toUInt8(1) AS x
//	x
//	UInt8
//	1
//	-- 2: SELECT y
//	code: 47
//
// The head of a block is the number of the statement and its text on one line;
// below it stands the answer as TSVWithNamesAndTypes, or the code of the error.
// A statement without a result (CREATE, INSERT, SET) has a head only. `make
// conformance-record` writes these files from the real engine.
package conformance

import (
	"fmt"
	"os"
	"strings"
)

// differsMark begins the comment of a statement that dictsvc answers otherwise
// than ClickHouse on purpose, oursMark a line of its answer.
const (
	differsMark = "-- differs:"
	oursMark    = "-- ours:"
)

// Statement is one statement of a script.
type Statement struct {
	Number  int    // from 1, in the order of the script
	Line    int    // of the script, where the statement begins
	SQL     string // without the final ';'
	Differs string // why dictsvc answers otherwise; empty: it must not
	Ours    string // its answer then, as the file of answers would hold it
}

// Head is the first line of the statement's block in the file of answers.
func (s Statement) Head() string {
	return fmt.Sprintf("-- %d: %s", s.Number, strings.Join(strings.Fields(s.SQL), " "))
}

// Answer is what a server says to one statement.
type Answer struct {
	Text  string // TSVWithNamesAndTypes; empty for a statement without a result
	Code  int    // of the error, 0 for none
	Error string // its words, which are not compared
}

// String is the answer as the file of answers holds it.
func (a Answer) String() string {
	if a.Code != 0 {
		return fmt.Sprintf("code: %d\n", a.Code)
	}
	return a.Text
}

// ReadScript reads the statements of a script.
func ReadScript(path string) ([]Statement, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	return parseScript(path, string(data))
}

func parseScript(path, text string) ([]Statement, error) {
	var (
		statements []Statement
		current    []string
		begin      int
		differs    string
		ours       string
	)
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimRight(line, " ")
		if len(current) == 0 {
			if why, ok := strings.CutPrefix(trimmed, differsMark); ok {
				differs = strings.TrimSpace(why)
				if differs == "" {
					return nil, fmt.Errorf("script %s: line %d: %q without a reason", path, i+1, differsMark)
				}
			}
			if answer, ok := strings.CutPrefix(line, oursMark); ok {
				ours += strings.TrimPrefix(answer, " ") + "\n"
			}
			if trimmed == "" || strings.HasPrefix(trimmed, "--") {
				continue
			}
			begin = i + 1
		}
		last, ends := strings.CutSuffix(trimmed, ";")
		if !ends {
			current = append(current, line)
			continue
		}
		current = append(current, last)
		if (differs == "") != (ours == "") {
			return nil, fmt.Errorf("script %s: line %d: %q and %q must stand together", path, begin, differsMark, oursMark)
		}
		statements = append(statements, Statement{
			Number:  len(statements) + 1,
			Line:    begin,
			SQL:     strings.TrimSpace(strings.Join(current, "\n")),
			Differs: differs,
			Ours:    ours,
		})
		current, differs, ours = current[:0], "", ""
	}
	if len(current) > 0 {
		return nil, fmt.Errorf("script %s: line %d: the statement does not end with ';'", path, begin)
	}
	return statements, nil
}

// ReadAnswers reads the answers that belong to a script. The heads must be those
// of the statements, else the answers were recorded from another script.
func ReadAnswers(path string, statements []Statement) ([]Answer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read answers: %w", err)
	}
	return parseAnswers(path, string(data), statements)
}

func parseAnswers(path, text string, statements []Statement) ([]Answer, error) {
	answers := make([]Answer, 0, len(statements))
	for i, s := range statements {
		var ok bool
		if text, ok = strings.CutPrefix(text, s.Head()+"\n"); !ok {
			got, _, _ := strings.Cut(text, "\n")
			return nil, fmt.Errorf("answers %s: statement %d: want the line %q, got %q: record again", path, s.Number, s.Head(), got)
		}
		body := text
		if i+1 < len(statements) {
			next := statements[i+1].Head() + "\n"
			switch {
			case strings.HasPrefix(text, next):
				body = ""
			default:
				end := strings.Index(text, "\n"+next)
				if end < 0 {
					return nil, fmt.Errorf("answers %s: no answer to statement %d: record again", path, i+2)
				}
				body = text[:end+1]
			}
		}
		text = text[len(body):]
		answers = append(answers, parseAnswer(body))
	}
	if len(statements) == 0 && text != "" {
		return nil, fmt.Errorf("answers %s: answers to an empty script: record again", path)
	}
	return answers, nil
}

func parseAnswer(body string) Answer {
	var code int
	if n, err := fmt.Sscanf(body, "code: %d\n", &code); n == 1 && err == nil && body == fmt.Sprintf("code: %d\n", code) {
		return Answer{Code: code}
	}
	return Answer{Text: body}
}

// FormatAnswers is the content of the file of answers. An answer with a line that
// would be taken for the head of a block is an error.
func FormatAnswers(statements []Statement, answers []Answer) (string, error) {
	var b strings.Builder
	for i, s := range statements {
		body := answers[i].String()
		if body != "" && !strings.HasSuffix(body, "\n") {
			body += "\n"
		}
		if strings.HasPrefix(body, "-- ") || strings.Contains(body, "\n-- ") {
			return "", fmt.Errorf("statement at line %d: a line of the answer begins with %q", s.Line, "-- ")
		}
		b.WriteString(s.Head())
		b.WriteByte('\n')
		b.WriteString(body)
	}
	return b.String(), nil
}
