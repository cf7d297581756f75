package conformance

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sort"
	"strings"
)

// Subject is one script with its recorded answers.
type Subject struct {
	Name       string // of the script, without folder and ending
	Path       string
	Statements []Statement
	Answers    []Answer
}

// ReadSubjects reads the scripts of a folder, by name; only, when not empty, names
// those wanted, separated by commas.
func ReadSubjects(dir, only string) ([]Subject, error) {
	scripts, err := filepath.Glob(filepath.Join(dir, "*.sql"))
	if err != nil {
		return nil, fmt.Errorf("read scripts of %s: %w", dir, err)
	}
	sort.Strings(scripts)
	wanted := map[string]bool{}
	for _, name := range strings.Split(only, ",") {
		if name != "" {
			wanted[name] = true
		}
	}
	var subjects []Subject
	for _, path := range scripts {
		name := strings.TrimSuffix(filepath.Base(path), ".sql")
		if only != "" && !wanted[name] {
			continue
		}
		delete(wanted, name)
		statements, err := ReadScript(path)
		if err != nil {
			return nil, err
		}
		answers, err := ReadAnswers(strings.TrimSuffix(path, ".sql")+".out", statements)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, Subject{Name: name, Path: path, Statements: statements, Answers: answers})
	}
	for name := range wanted {
		return nil, fmt.Errorf("read scripts of %s: no subject %q", dir, name)
	}
	return subjects, nil
}

// Session is a connection to a fresh server that runs the statements of a script.
type Session interface {
	// Run answers one statement. An error of the statement is an answer; the error
	// returned means that the session itself is broken.
	Run(ctx context.Context, sql string) (Answer, error)
}

// Failure is a statement that was answered otherwise than it must be.
type Failure struct {
	Statement Statement
	Want, Got string // as the file of answers holds them
}

// Result is what became of one subject over one transport.
type Result struct {
	Subject   string
	Path      string
	Transport string
	Passed    int
	Failures  []Failure
	Broken    error // the session ended before the script did
}

// Check runs a subject's statements in order and compares the answers.
func Check(ctx context.Context, subject Subject, transport string, session Session) Result {
	result := Result{Subject: subject.Name, Path: subject.Path, Transport: transport}
	for i, s := range subject.Statements {
		answer, err := session.Run(ctx, s.SQL)
		if err != nil {
			result.Broken = fmt.Errorf("%s:%d: run %q: %w", subject.Path, s.Line, s.SQL, err)
			return result
		}
		want, got := subject.Answers[i].String(), answer.String()
		if s.Differs != "" {
			want = s.Ours
		}
		if got == want {
			result.Passed++
			continue
		}
		result.Failures = append(result.Failures, Failure{Statement: s, Want: want, Got: got})
	}
	return result
}

// OK tells whether every statement was answered as it must be.
func (r Result) OK() bool {
	return r.Broken == nil && len(r.Failures) == 0
}

// Print writes the counts of a result, then at most max of its failures, each
// with the first line in which the answers differ.
func (r Result) Print(w io.Writer, max int) {
	fmt.Fprintf(w, "%-20s %-7s %4d passed %4d failed\n", r.Subject, r.Transport, r.Passed, len(r.Failures))
	for i, f := range r.Failures {
		if i == max {
			fmt.Fprintf(w, "    ... and %d more\n", len(r.Failures)-max)
			break
		}
		line, want, got := firstDifference(f.Want, f.Got)
		fmt.Fprintf(w, "%s:%d: %s\n    line %d of the answer: want %s, got %s\n",
			r.Path, f.Statement.Line, strings.Join(strings.Fields(f.Statement.SQL), " "), line, want, got)
	}
	if r.Broken != nil {
		fmt.Fprintf(w, "    broken: %v\n", r.Broken)
	}
}

// firstDifference finds the first line, from 1, in which two texts differ, and
// what stands there in each.
func firstDifference(want, got string) (line int, wantLine, gotLine string) {
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i := 0; ; i++ {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b || (i >= len(w) && i >= len(g)) {
			return i + 1, show(a), show(b)
		}
	}
}

func show(line string) string {
	if line == "" {
		return "nothing"
	}
	return fmt.Sprintf("%q", strings.TrimSuffix(line, "\n"))
}
