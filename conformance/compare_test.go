package conformance

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// replay answers the statements of a script from a list.
type replay struct {
	answers []Answer
	next    int
}

func (r *replay) Run(context.Context, string) (Answer, error) {
	if r.next == len(r.answers) {
		return Answer{}, errors.New("connection closed")
	}
	r.next++
	return r.answers[r.next-1], nil
}

func TestCheckRecorded(t *testing.T) {
	subjects, err := ReadSubjects("testdata", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range subjects {
		answers := append([]Answer(nil), subject.Answers...)
		for i, s := range subject.Statements {
			if s.Differs != "" {
				answers[i] = parseAnswer(s.Ours)
			}
		}
		if r := Check(t.Context(), subject, "replay", &replay{answers: answers}); !r.OK() || r.Passed != len(subject.Statements) {
			t.Errorf("%s: its own answers do not pass: %+v", subject.Name, r)
		}
	}
}

func TestCheckFailures(t *testing.T) {
	statements, err := parseScript("x.sql", "SELECT 1 AS x;\nSELECT y;\n-- differs: ours\n-- ours: code: 36\nSELECT z;\nSELECT\n  2;\n")
	if err != nil {
		t.Fatal(err)
	}
	subject := Subject{Name: "x", Path: "x.sql", Statements: statements, Answers: []Answer{
		{Text: "x\nUInt8\n1\n"}, {Code: 47}, {Code: 1001}, {Text: "2\nUInt8\n2\n"},
	}}
	for _, c := range []struct {
		name    string
		answers []Answer
		passed  int
		print   string
	}{
		{"all right", []Answer{{Text: "x\nUInt8\n1\n"}, {Code: 47}, {Code: 36}, {Text: "2\nUInt8\n2\n"}}, 4,
			"x                    replay     4 passed    0 failed\n"},
		{"type, code, value", []Answer{{Text: "x\nUInt16\n1\n"}, {Code: 46}, {Code: 1001}, {Text: "2\nUInt8\n"}}, 0,
			"x                    replay     0 passed    4 failed\n" +
				"x.sql:1: SELECT 1 AS x\n    line 2 of the answer: want \"UInt8\", got \"UInt16\"\n" +
				"x.sql:2: SELECT y\n    line 1 of the answer: want \"code: 47\", got \"code: 46\"\n" +
				"x.sql:5: SELECT z\n    line 1 of the answer: want \"code: 36\", got \"code: 1001\"\n" +
				"x.sql:6: SELECT 2\n    line 3 of the answer: want \"2\", got nothing\n"},
		{"cut", []Answer{{Text: "x\nUInt8\n1\n"}}, 1,
			"x                    replay     1 passed    0 failed\n" +
				"    broken: x.sql:2: run \"SELECT y\": connection closed\n"},
	} {
		r := Check(t.Context(), subject, "replay", &replay{answers: c.answers})
		var b strings.Builder
		r.Print(&b, 10)
		if r.Passed != c.passed || b.String() != c.print || r.OK() != (c.passed == 4) {
			t.Errorf("%s: got %d passed, ok %v\n%s\nwant %d\n%s", c.name, r.Passed, r.OK(), b.String(), c.passed, c.print)
		}
	}
}

func TestReadSubjects(t *testing.T) {
	subjects, err := ReadSubjects("testdata", "logic,dates")
	if err != nil {
		t.Fatal(err)
	}
	if len(subjects) != 2 || subjects[0].Name != "dates" || subjects[1].Name != "logic" {
		t.Errorf("got %d subjects: %+v", len(subjects), subjects)
	}
	if _, err := ReadSubjects("testdata", "logic,nothing"); err == nil {
		t.Error("an unknown subject is accepted")
	}
}
