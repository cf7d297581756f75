// Runs one JSON statement a line on ClickHouse and answers with a line of JSON, until the input ends.
const { Session } = require('chdb');
const fs = require('fs');
const session = new Session(process.argv[1]);
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const answer = {};
  const start = process.hrtime.bigint();
  try {
    answer.out = String(session.query(JSON.parse(line).sql, 'TabSeparated') ?? '');
    answer.seconds = Number(process.hrtime.bigint() - start) / 1e9;
  } catch (e) {
    answer.error = String(e.message);
    session.query('SELECT 1', 'Null'); // a statement that fails in mid-answer leaves its output in front of the next answer
  }
  fs.writeSync(1, JSON.stringify(answer) + '\n');
}).on('close', () => session.cleanup());
