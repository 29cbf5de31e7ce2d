/**
 * What docs/privacy.md promises: a task contacts the address of the model and no other. The built terminal host runs in a network
 * namespace in which only that address exists, and the system records every address that the program, or anything that it starts,
 * connects to or sends to.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FOUR_STEPS_AFTER, FOUR_STEPS_FILES, fourSteps } from "../model-server/scripts/four-steps.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;

beforeEach(async () => {
  server = await startModelServer({ script: fourSteps() });
  project = await Project.create(FOUR_STEPS_FILES);
});
afterEach(async () => {
  await server.close();
  await project.remove();
});

/** Runs `"$@"` with the forwarder of the model's port, in the namespace that this script has for itself. */
const SCRIPT = [
  "ip link set lo up",
  'coproc forward { exec "$NODE" "$FORWARD" "$PORT" "$SOCKET"; }',
  'read -r line <&"$forward"; test "$line" = ready',
  "calls=connect,sendto,sendmsg,sendmmsg,bind",
  'code=0; strace -f --seccomp-bpf -qq -e signal=none -e trace="$calls" -o "$RECORD" "$@" || code=$?',
  'kill "$forward_PID"; exit "$code"',
].join("\n");

/** The exit code, what was printed, and the addresses as `address:port`, each once, in order. */
async function contacted(args: readonly string[]) {
  const { port } = new URL(server.url);
  const scratch = path.dirname(project.folder);
  const [socket, record] = [path.join(scratch, "model.sock"), path.join(scratch, "record.txt")];
  const model = createServer((incoming) => {
    const outgoing = connect(Number(port), "127.0.0.1");
    incoming.on("error", () => outgoing.destroy()).pipe(outgoing);
    outgoing.on("error", () => incoming.destroy()).pipe(incoming);
  }).listen(socket);
  await once(model, "listening");
  const program = [process.execPath, path.join(import.meta.dirname, "../../dist/cli.js"), ...args];
  const child = spawn("unshare", ["-Urn", "bash", "-ec", SCRIPT, "bash", ...program], {
    cwd: project.folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...project.environment,
      ...{ PATH: process.env.PATH, NODE: process.execPath, PORT: port, SOCKET: socket, RECORD: record },
      FORWARD: path.join(import.meta.dirname, "../fixtures/forward.cjs"),
      ...{ NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" },
    },
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  model.close();
  const lines = (await readFile(record, "utf8")).split("\n");
  return { code, printed: stdout + stderr, port, addresses: [...new Set(lines.flatMap(addressIn))] };
}

/** The address in a line of strace; none for sockets of the file system, and for those of the kernel itself. */
function addressIn(line: string): string[] {
  if (!line.includes("sa_family=AF_INET")) return [];
  const port = /sin6?_port=htons\((\d+)\)/.exec(line)?.[1];
  const address = /inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"/.exec(line)?.[1];
  return [`${address}:${port}`];
}

// Other systems have neither namespaces nor strace.
const onLinux = it.runIf(process.platform === "linux");

onLinux(
  "a task that reads, edits and runs a command contacts the model's address, and no other",
  async () => {
    const { code, printed, port, addresses } = await contacted(["--approve", "all", "Count the cats"]);
    expect(code, printed).toBe(0);
    expect(await project.read("a.ts")).toBe(FOUR_STEPS_AFTER);
    expect(server.requests.length).toBeGreaterThanOrEqual(4);
    expect(addresses).toEqual([`127.0.0.1:${port}`]);
  },
);

onLinux("a page is contacted when the model opens it and that is allowed, and not before", async () => {
  const url = "http://93.184.216.34/cats";
  server.setScript({
    turns: [
      { match: { request: 1 }, answer: [{ tool: "web_fetch", params: { url } }] },
      { match: { request: 2 }, answer: [{ tool: "attempt_completion", params: { result: "Done." } }] },
    ],
  });
  const asks = await contacted(["Open the page"]);
  expect([asks.code, asks.addresses], asks.printed).toEqual([4, [`127.0.0.1:${asks.port}`]]);
  const opens = await contacted(["--approve", "web", "--continue", "Go on"]);
  // The call that waited runs before the model is asked again.
  expect(opens.addresses, opens.printed).toEqual(["93.184.216.34:80", `127.0.0.1:${opens.port}`]);
});
