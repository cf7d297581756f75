// Package errcode carries ClickHouse's error codes through Go errors: the number that clients act on,
// its name, and the text. Codes are those of ClickHouse's src/Common/ErrorCodes.cpp.
package errcode

import (
	"errors"
	"fmt"
)

// Code is a ClickHouse error code.
type Code int32

// Error is an error with ClickHouse's code. Msg is the text without the "DB::Exception:" prefix.
type Error struct {
	Code Code
	Msg  string
	Err  error // wrapped cause, may be nil
}

// New makes an error with a code; a %w verb in format wraps its operand.
func New(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Msg: err.Error(), Err: errors.Unwrap(err)}
}

// Wrap adds context in front of err's text and keeps its code.
func Wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &Error{Code: Of(err), Msg: fmt.Sprintf(format, args...) + ": " + Text(err), Err: err}
}

// Error returns the text alone, as it reads inside ClickHouse's "DB::Exception: ..." line.
func (e *Error) Error() string { return e.Msg }

// Unwrap returns the wrapped cause.
func (e *Error) Unwrap() error { return e.Err }

// Of finds the code of err: 0 for nil, UnknownException where no code travels with it.
func Of(err error) Code {
	if err == nil {
		return 0
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return UnknownException
}

// Text is err's text.
func Text(err error) string { return err.Error() }

// Line is the one-line form that ClickHouse's clients print: "Code: 36. DB::Exception: text. (BAD_ARGUMENTS)".
func Line(err error) string {
	code, text := Of(err), err.Error()
	dot := "."
	if n := len(text); n > 0 && (text[n-1] == '.' || text[n-1] == '!' || text[n-1] == '?') {
		dot = ""
	}
	return fmt.Sprintf("Code: %d. DB::Exception: %s%s (%s)", code, text, dot, code)
}

// String is the code's ClickHouse name, or CODE_N where it is not listed here.
func (c Code) String() string {
	if name, ok := names[c]; ok {
		return name
	}
	return fmt.Sprintf("CODE_%d", int32(c))
}
