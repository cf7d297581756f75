#!/usr/bin/env node
// Runs statements on ClickHouse 26.7 in one session of one empty data folder.
//
// In: one JSON string a line, a statement. Out: one JSON object a line, in the
// same order: {"out": "..."} or {"code": 43, "error": "..."}.
const { createInterface } = require('readline');
const { Session } = require('chdb');

const format = 'TSVWithNamesAndTypes';
const session = new Session();
// The engine's own default takes a statement without SELECT for an expression, so
// that many syntax errors are others; a server does not.
session.query('SET implicit_select = 0', format);

function run(sql) {
  try {
    return { out: String(session.query(sql, format) ?? '') };
  } catch (e) {
    // A query that fails after its first rows leaves them in front of the next
    // answer; a query without output takes them away.
    session.query('SELECT 1', 'Null');
    const error = String(e.message);
    const code = /Code: (\d+)/.exec(error);
    return { code: code ? Number(code[1]) : 0, error };
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => console.log(JSON.stringify(run(JSON.parse(line)))))
  .on('close', () => session.cleanup());
