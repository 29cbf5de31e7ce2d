// Runs the built terminal host many times in one process of Windows' Node: a process of its own takes seconds to start under
// Wine. The first argument is a file of JSON, [{ args, cwd, environment }]; the second is where the results go,
// [{ code, stdout, stderr }].
const { EventEmitter } = require("node:events");
const { readFileSync, writeFileSync } = require("node:fs");
const { PassThrough } = require("node:stream");
const { text } = require("node:stream/consumers");
// A text that is not a literal: there is no such file where types are checked.
const PROGRAM = "C:/nekode/program.js".toString();
const { main } = require(PROGRAM);

const [, , input = "", output = ""] = process.argv;

/** @param {{ args: string[], cwd: string, environment: Record<string, string> }} run */
async function ran({ args, cwd, environment }) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const printed = Promise.all([text(stdout), text(stderr)]);
  const io = { environment: { ...process.env, ...environment }, cwd, stdin, stdout, stderr };
  const { code } = await main(args, { ...io, signals: new EventEmitter() });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

async function all() {
  const results = [];
  for (const run of JSON.parse(readFileSync(input, "utf8"))) {
    results.push(await ran(run));
    // What is there if a later one does not end.
    writeFileSync(output, JSON.stringify(results));
  }
}

all().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
