/** What a server says last is heard, however busy this process is. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { isAlive } from "../../../support/processes.ts";
import { busyUntil, temporaryFolder } from "../support.ts";
import { connected, neverAborted } from "./support.ts";

/** A server that says its id when it is called, answers once a file is there, and ends. */
const PROGRAM = `
  const { existsSync, renameSync, writeFileSync, writeSync } = require("node:fs");
  const [, pid, go] = process.argv;
  const capabilities = { tools: {} };
  const started = { protocolVersion: "2025-06-18", capabilities, serverInfo: { name: "s", version: "1" } };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const answer = (rest) => writeSync(1, JSON.stringify({ jsonrpc: "2.0", id, ...rest }) + "\\n");
    if (method === "initialize") answer({ result: started });
    else if (method === "tools/call") {
      writeFileSync(pid + ".new", String(process.pid));
      renameSync(pid + ".new", pid);
      while (!existsSync(go));
      answer({ result: { content: [{ type: "text", text: "last words" }] } });
      process.exit();
    } else if (id !== undefined) answer({ error: { code: -32601, message: "Method not found" } });
  });`;

it.skipIf(process.platform === "win32")("the answer of a server that then ends", async () => {
  const folder = await temporaryFolder();
  const [pid, go] = [path.join(folder, "pid"), path.join(folder, "go")];
  const args = ["-e", PROGRAM, pid, go];
  const connection = await connected({
    type: "stdio",
    command: process.execPath,
    args,
    env: {},
    cwd: folder,
  });
  const calling = connection.callTool("any", {}, { signal: neverAborted, timeoutMs: 60_000 });
  const result = calling.catch(String);
  await expect.poll(() => Number(readFileSync(pid, "utf8"))).toBeGreaterThan(0);
  // Its output and its end are there together, when this process looks again ...
  const first = spawn("/bin/echo", ["first"], { stdio: ["ignore", "pipe", "ignore"] });
  busyUntil(() => !isAlive(first.pid ?? 0));
  // ... the server answers and ends between the one and the other ...
  first.stdout.once("data", () => {
    writeFileSync(go, "");
    const called = Number(readFileSync(pid, "utf8"));
    busyUntil(() => !isAlive(called));
  });
  // ... and much time passes before its answer is read.
  first.once("exit", () => {
    const late = performance.now() + 500;
    busyUntil(() => performance.now() > late);
  });
  expect(await result).toMatchObject({ content: [{ type: "text", text: "last words" }] });
});
