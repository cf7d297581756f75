package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"net"
	"os"

	"gopkg.in/yaml.v3"

	"dictsvc/errcode"
	"dictsvc/wire"
)

// Config is what `dictsvc serve` is told, by flags and by a YAML file:
//
//	tcp: 127.0.0.1:9000
//	data: /var/lib/dictsvc
//	user_files: /var/lib/dictsvc/user_files
//	load: [users.dict]
//	max_connections: 4096
//	max_concurrent_queries: 100
//	max_server_memory_usage: 8000000000   # bytes of all dictionaries; nine tenths of the machine's memory without it
//	settings:                 # defaults of all sessions
//	  max_threads: 8
//	users:
//	  default: {}             # without a password only from this machine
//	  reader:
//	    password: secret      # or password_sha256_hex, as ClickHouse has it
//	    settings: {max_execution_time: 10, readonly: 1}
type Config struct {
	TCP                  string                `yaml:"tcp"`
	Data                 string                `yaml:"data"`
	UserFiles            string                `yaml:"user_files"`
	Load                 []string              `yaml:"load"`
	MaxConnections       int                   `yaml:"max_connections"`
	MaxConcurrentQueries int                   `yaml:"max_concurrent_queries"`
	MaxServerMemoryUsage int64                 `yaml:"max_server_memory_usage"` // bytes of all dictionaries; 0: nine tenths of the machine's memory
	Settings             map[string]string     `yaml:"settings"`
	Users                map[string]UserConfig `yaml:"users"`
	Logger               *slog.Logger          `yaml:"-"`
}

// UserConfig is one entry of users.
type UserConfig struct {
	Name        string            `yaml:"-"`
	Password    string            `yaml:"password"`
	PasswordSHA string            `yaml:"password_sha256_hex"`
	Settings    map[string]string `yaml:"settings"`
}

// ReadConfig reads a YAML file; a key that is not known is an error.
func ReadConfig(path string) (*Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errcode.New(errcode.CannotOpenFile, "open config: %w", err)
	}
	defer f.Close()
	c := &Config{}
	d := yaml.NewDecoder(f)
	d.KnownFields(true)
	if err := d.Decode(c); err != nil {
		return nil, errcode.New(errcode.InvalidConfigParameter, "config %s: %w", path, err)
	}
	if c.MaxServerMemoryUsage < 0 {
		return nil, errcode.New(errcode.InvalidConfigParameter, "config %s: max_server_memory_usage: want 0 or more bytes, got %d", path, c.MaxServerMemoryUsage)
	}
	for name, u := range c.Users {
		if u.PasswordSHA != "" {
			if b, err := hex.DecodeString(u.PasswordSHA); err != nil || len(b) != sha256.Size {
				return nil, errcode.New(errcode.InvalidConfigParameter, "config %s: users.%s.password_sha256_hex: want 64 hexadecimal digits", path, name)
			}
		}
	}
	return c, nil
}

// login checks a user's password. The user "default" exists where no users are configured; without a password it is let in from this machine only.
func (c *Config) login(name, password string, from net.Addr) (*UserConfig, error) {
	if name == "" {
		name = "default"
	}
	u, ok := c.Users[name]
	if !ok && !(name == "default" && len(c.Users) == 0) {
		return nil, errcode.New(errcode.AuthenticationFailed, "%s: Authentication failed: password is incorrect, or there is no user with such name", name)
	}
	u.Name = name
	switch {
	case u.PasswordSHA != "":
		want, _ := hex.DecodeString(u.PasswordSHA)
		got := sha256.Sum256([]byte(password))
		ok = subtle.ConstantTimeCompare(got[:], want) == 1
	case u.Password != "":
		ok = subtle.ConstantTimeCompare([]byte(password), []byte(u.Password)) == 1
	default:
		if !wire.IsLoopback(from) {
			return nil, errcode.New(errcode.AuthenticationFailed, "%s: Authentication failed: a user without a password may log in from the server's own machine only", name)
		}
		ok = password == ""
	}
	if !ok {
		return nil, errcode.New(errcode.AuthenticationFailed, "%s: Authentication failed: password is incorrect, or there is no user with such name", name)
	}
	return &u, nil
}
