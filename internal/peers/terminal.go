package peers

import (
	"net"
	"strings"
	"testing"
)

// terminalScript runs clickhouse-client under a pseudo-terminal: it waits for each prompt, types the next line, and prints all that the
// terminal has shown. A line "^C" interrupts what runs, half a second after the line before it.
const terminalScript = `
import os, pty, select, signal, sys, time
lines = sys.argv[4].split('\n')
pid, fd = pty.fork()
if pid == 0:
    os.environ['TERM'], os.environ['HOME'], os.environ['CLICKHOUSE_HISTORY_FILE'] = 'dumb', sys.argv[5], sys.argv[5] + '/history'
    os.execv(sys.argv[1], ['clickhouse-client', '--host', sys.argv[2], '--port', sys.argv[3]])
out, mark, end = b'', 0, time.time() + 40
while time.time() < end:
    if select.select([fd], [], [], 0.1)[0]:
        try: data = os.read(fd, 65536)
        except OSError: break
        if not data: break
        out += data
    if not lines: continue
    if lines[0] == '^C':
        time.sleep(0.5); os.write(fd, b'\x03'); lines.pop(0); continue
    if b':) ' in out[mark:]:
        mark = len(out); os.write(fd, lines.pop(0).encode() + b'\n')
try: os.kill(pid, signal.SIGKILL)
except ProcessLookupError: pass
sys.stdout.write(out.decode('utf-8', 'replace').replace('\r', ''))
`

// Interactive types lines into an interactive clickhouse-client 18.16 and returns what its terminal shows. The last line should be "exit".
func Interactive(t testing.TB, addr string, lines ...string) Result {
	t.Helper()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatalf("address %q: %v", addr, err)
	}
	client := Need(t, "clickhouse-client", "clickhouse-client")
	return Run(t, "", Need(t, "python3", "python3"), "-c", terminalScript, client, host, port, strings.Join(lines, "\n"), t.TempDir())
}
