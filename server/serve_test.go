package server

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dictsvc/errcode"
	"dictsvc/internal/peers"
	"dictsvc/wire"
)

// end waits for a process that was told to end and returns its exit code.
func (p *process) end(t *testing.T) int {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.cmd.Wait()
	}()
	select {
	case <-done:
	case <-time.After(15 * time.Second):
		t.Fatalf("has not ended after 15 seconds\n%s", p.log)
	}
	return p.cmd.ProcessState.ExitCode()
}

// The configuration file, its users and limits, through the program; SIGTERM and SIGINT end it cleanly, with a query running.
func TestServeConfig(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	usersFile(t, filepath.Join(data, "user_files", "users.jsonl"), users)
	config := filepath.Join(dir, "server.yaml")
	writeFile(t, config, `
tcp: 127.0.0.1:0
data: `+data+`
max_concurrent_queries: 3
settings: {max_block_size: 1234}
users:
  default: {}
  reader: {password: secret, settings: {readonly: 1, max_execution_time: 1}}
`)
	for round, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		s := serve(t, "--config", config)
		if round == 0 {
			run(t, s.addr, "CREATE DICTIONARY users ("+usersColumns+") PRIMARY KEY id SOURCE(FILE(path 'users.jsonl' format 'JSONEachRow')) LAYOUT(HASHED()) LIFETIME(0)")
		}
		alive(t, s.addr, "the start")
		check(t, s.addr, "SELECT getSetting('max_block_size'), currentUser()", "1234\tdefault\n")
		if r := peers.OldClient(t, s.addr, longQuery, "--user", "reader", "--password", "secret"); r.Code != 159 {
			t.Errorf("a reader's long query: want code 159, got %+v", r)
		}
		var wg sync.WaitGroup
		ended := make(chan error, 3)
		for range 3 {
			wg.Go(func() {
				_, err := ask(t, s.addr, longQuery)
				for errcode.Of(err) == 202 { // the place was taken, by a SELECT 1 of below
					_, err = ask(t, s.addr, longQuery)
				}
				ended <- err
			})
		}
		await(t, "busy", func() bool {
			_, err := ask(t, s.addr, "SELECT 1")
			return err != nil && errcode.Of(err) == 202
		})
		if err := s.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if code := s.end(t); code != 0 {
			t.Errorf("%v: exit code %d\n%s", signal, code, s.log)
		}
		wg.Wait()
		for range 3 {
			if err := <-ended; err == nil {
				t.Error("a query that was running at the end has succeeded")
			}
		}
		if text := s.log.String(); strings.Contains(text, "panic") || strings.Contains(text, "goroutine") {
			t.Errorf("%v: %s", signal, text)
		}
	}
	for text, want := range map[string]string{"nonsense: 1\n": "nonsense", "settings: {no_such_setting: 1}\n": "no_such_setting", "users: {x: {password_sha256_hex: 12}}\n": "password_sha256_hex",
		"max_connections: many\n": "many", ":": "server.yaml"} {
		writeFile(t, config, text)
		r := peers.Run(t, "", program(t), "serve", "--tcp", "127.0.0.1:0", "--config", config)
		if r.Code != 1 || !strings.Contains(r.Err, want) || !strings.HasPrefix(r.Err, "Code: ") || r.Out != "" {
			t.Errorf("config %q: want code 1 and %q, got %+v", text, want, r)
		}
	}
}

// A port in use is said so; the server that has it goes on.
func TestServeTwice(t *testing.T) {
	_, addr := usersServer(t)
	r := peers.Run(t, "", program(t), "serve", "--tcp", addr)
	if r.Code != 1 || !strings.Contains(r.Err, "address already in use") || r.Out != "" {
		t.Errorf("%+v", r)
	}
	alive(t, addr, "a second server")
}

// KILL QUERY ends what another connection runs.
func TestKillQuery(t *testing.T) {
	_, addr := usersServer(t)
	done := make(chan error, 1)
	go func() {
		_, err := ask(t, addr, longQuery)
		done <- err
	}()
	await(t, "running", func() bool { return running(t, addr) == "1\n" })
	run(t, addr, "KILL QUERY WHERE query LIKE '%1000000000000%' AND query NOT LIKE '%KILL%' SYNC")
	select {
	case err := <-done:
		if errcode.Of(err) != 394 {
			t.Errorf("want error 394, got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a killed query goes on")
	}
	alive(t, addr, "KILL QUERY")
}

// Many clients read while the dictionary is reloaded again and again; nobody sees an error or half a version.
func TestReloadUnderLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "v.jsonl")
	write := func(version string) {
		var b bytes.Buffer
		for id := 'a'; id < 'a'+20; id++ {
			b.WriteString(`{"id":"` + string(id) + `","v":"` + version + `"}` + "\n")
		}
		writeFile(t, path+".new", b.String())
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	write("0")
	s := startServer(t, func(c *Config) { c.UserFiles = dir })
	addr := s.Addr().String()
	run(t, addr, "CREATE DICTIONARY d (id String, v String) PRIMARY KEY id SOURCE(FILE(path 'v.jsonl' format 'JSONEachRow')) LAYOUT(COMPLEX_KEY_HASHED()) LIFETIME(0)")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c, err := wire.Dial(context.Background(), addr, wire.ClientConfig{})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for n := 0; ; n++ {
				select {
				case <-stop:
					if n < 10 {
						t.Errorf("only %d queries", n)
					}
					return
				default:
				}
				out, err := answer(c, "SELECT uniqExact(v), count(), (SELECT uniqExact(dictGet('d', 'v', char(97 + number))) FROM numbers(20)) FROM d")
				if err != nil || out != "1\t20\t1\n" {
					t.Errorf("%q, %v", out, err)
					return
				}
			}
		})
	}
	for i := range 30 {
		write(string(rune('0' + i)))
		run(t, addr, "SYSTEM RELOAD DICTIONARY d")
	}
	close(stop)
	wg.Wait()
	check(t, addr, "SELECT uniqExact(v), count(), any(v) FROM d", "1\t20\tM\n")
}
