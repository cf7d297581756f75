package wire

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"strings"

	"dictsvc/errcode"
)

// User is how one user proves who he is. Of the three password forms at most one is set; none means that there is no password.
type User struct {
	Password      string
	SHA256Hex     string // hex of SHA-256 of the password
	DoubleSHA1Hex string // hex of SHA-1 of SHA-1 of the password
	// LoopbackOnly refuses connections from other machines.
	LoopbackOnly bool
}

// Users checks logins by name. A Handler calls Check from its Login.
type Users map[string]User

// DefaultUsers is who may log in where nothing is configured: "default" without a password, from the same machine.
func DefaultUsers() Users { return Users{"default": {LoopbackOnly: true}} }

// Check returns nil, or ClickHouse's AUTHENTICATION_FAILED, whose text does not tell what was wrong.
func (u Users) Check(h *Hello) error {
	name := h.User
	if name == "" {
		name = "default"
	}
	user, known := u[name]
	if user.matches(h.Password) && known && (!user.LoopbackOnly || IsLoopback(h.RemoteAddr)) {
		return nil
	}
	return errcode.New(errcode.AuthenticationFailed, "%s: Authentication failed: password is incorrect, or there is no user with such name.", name)
}

// matches compares in constant time. A user without a password is let in with any empty one only.
func (u *User) matches(password string) bool {
	switch {
	case u.SHA256Hex != "":
		h := sha256.Sum256([]byte(password))
		return sameText(hex.EncodeToString(h[:]), strings.ToLower(u.SHA256Hex))
	case u.DoubleSHA1Hex != "":
		h := sha1.Sum([]byte(password))
		h = sha1.Sum(h[:])
		return sameText(hex.EncodeToString(h[:]), strings.ToLower(u.DoubleSHA1Hex))
	}
	return sameText(password, u.Password)
}

func sameText(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// IsLoopback tells whether a connection comes from the same machine.
func IsLoopback(a net.Addr) bool {
	switch x := a.(type) {
	case *net.TCPAddr:
		return x.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	return false
}
