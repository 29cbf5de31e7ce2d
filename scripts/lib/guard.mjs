// Runs one command and ends its whole process tree when the parent process ends (standard input closes), on SIGTERM, or
// when the command itself ends. Usage: node guard.mjs COMMAND ARGS...
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { killTree } from "./processes.mjs";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, {
  stdio: ["ignore", "inherit", "inherit"],
  shell: process.platform === "win32",
});
const mark = process.env.NEKODE_PROCESS_MARK;

let ending = false;
/** @param {number} code */
async function end(code) {
  if (ending) return;
  ending = true;
  if (child.pid !== undefined) await killTree(child.pid, { mark });
  process.exit(code);
}

child.on("error", (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(127);
});
child.on("exit", (code, signal) => void end(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
process.stdin.resume();
process.stdin.on("end", () => void end(0));
process.stdin.on("error", () => void end(0));
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]))
  process.on(signal, () => void end(0));
