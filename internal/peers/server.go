package peers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Server is a clickhouse-server 18.16 with its data in a temporary folder. User "default" has no password, user "guest" has "secret".
type Server struct {
	Addr     string // host:port of the native protocol
	HTTPAddr string
	Dir      string // its data
	p        *process
}

// OldServer starts a clickhouse-server 18.16 on free ports and waits until it answers. Addresses of shards make a cluster of the name "shards".
func OldServer(t testing.TB, shards ...string) *Server {
	t.Helper()
	program := Need(t, "clickhouse-server", "clickhouse-server")
	dir := t.TempDir()
	tcp, http, inter := FreePort(t), FreePort(t), FreePort(t)
	s := &Server{Addr: fmt.Sprintf("127.0.0.1:%d", tcp), HTTPAddr: fmt.Sprintf("127.0.0.1:%d", http), Dir: dir}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("users.xml", serverUsers)
	config := write("config.xml", fmt.Sprintf(serverConfig, dir, dir, http, tcp, inter, dir, dir, dir, dir, cluster(shards)))
	cmd := exec.Command(program, "--config-file="+config)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TZ=UTC")
	s.p = start(t, filepath.Join(dir, "output.txt"), cmd)
	s.p.await(t, s.Addr)
	return s
}

func cluster(shards []string) string {
	if len(shards) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<shards>")
	for _, addr := range shards {
		host, port, _ := strings.Cut(addr, ":")
		fmt.Fprintf(&b, "<shard><replica><host>%s</host><port>%s</port></replica></shard>", host, port)
	}
	b.WriteString("</shards>")
	return b.String()
}

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() { s.p.kill() }

// Stop ends it orderly and waits.
func (s *Server) Stop() {
	s.p.cmd.Process.Signal(syscall.SIGTERM)
	<-s.p.done
}

const serverConfig = `<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>%s/server.log</log><errorlog>%s/server.err.log</errorlog></logger>
  <http_port>%d</http_port>
  <tcp_port>%d</tcp_port>
  <interserver_http_port>%d</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <listen_host>127.0.0.1</listen_host>
  <path>%s/data/</path>
  <tmp_path>%s/tmp/</tmp_path>
  <user_files_path>%s/files/</user_files_path>
  <format_schema_path>%s/schemas/</format_schema_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <mark_cache_size>16777216</mark_cache_size>
  <max_connections>1024</max_connections>
  <max_concurrent_queries>100</max_concurrent_queries>
  <keep_alive_timeout>3</keep_alive_timeout>
  <dictionaries_config>*_dictionary.xml</dictionaries_config>
  <remote_servers>%s</remote_servers>
</yandex>
`

const serverUsers = `<?xml version="1.0"?>
<yandex>
  <profiles><default><max_memory_usage>2000000000</max_memory_usage></default></profiles>
  <quotas><default></default></quotas>
  <users>
    <default><password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default>
    <guest><password>secret</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></guest>
  </users>
</yandex>
`
