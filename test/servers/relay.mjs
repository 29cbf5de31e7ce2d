// Stands between Nekode and an MCP server that speaks over its standard streams, and passes on what both say. While the file $RELAY_KILL
// exists, the next call is not passed on: the server and then this process are killed, as by `kill -9` during that call.
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";

const [program = "", ...args] = process.argv.slice(2);
const kill = process.env.RELAY_KILL ?? "";
const server = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"] });
server.on("exit", (code, signal) => {
  process.exitCode = code ?? 1;
  if (signal) process.kill(process.pid, signal);
  else process.exit();
});
server.stdin.on("error", () => {});
createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (existsSync(kill) && line.includes('"tools/call"')) {
      rmSync(kill);
      server.kill("SIGKILL");
    } else server.stdin.write(`${line}\n`);
  })
  .on("close", () => server.stdin.end());
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT"]))
  process.on(signal, () => server.kill(signal));
