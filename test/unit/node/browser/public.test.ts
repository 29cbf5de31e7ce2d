/** A browser in a network of its own, where addresses that belong to others are played, opens those that are public. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ensureChromium } from "../../../../scripts/lib/install.mjs";
import { launch } from "./support.ts";

/** The network and its users are separate, so that its owner may change it without being the machine's root. */
const NAMESPACE = ["--user", "--map-root-user", "--net", "--mount"];
const canSeparate =
  process.platform === "linux" && spawnSync("unshare", [...NAMESPACE, "ip", "link"]).status === 0;

const PUBLIC = { ipv4: "93.184.216.34", ipv6: "2606:2800:220:1::1" };
const PRIVATE = "10.1.2.3";
/** By the type of the record: 1 is A, 28 is AAAA. */
const NAMES = {
  "cats.example": { 1: [93, 184, 216, 34] },
  "six.example": { 28: [0x26, 0x06, 0x28, 0, 0x02, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] },
  "inside.example": { 1: [10, 1, 2, 3] },
  "loopback.example": { 1: [127, 0, 0, 1] },
  "mapped.example": { 28: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1] },
};

describe.runIf(canSeparate)("the browser, where a program can have a network of its own", () => {
  it("opens public addresses and reaches no closed one", async () => {
    const network = await startNetwork();
    const environment = { PATH: process.env.PATH, HOME: process.env.HOME };
    const open = (host: string) =>
      launch(`http://${host}/`, { path: network.browser, privateHosts: [], ports: { environment } });
    for (const host of [PUBLIC.ipv4, `[${PUBLIC.ipv6}]`, "cats.example", "six.example"])
      expect((await open(host)).state.title).toBe(`Opened ${host}`);
    const opened = network.requests.filter((request) => request.endsWith(" /"));
    expect(new Set(opened).size).toBe(4);

    const before = network.requests.length;
    const closed = [
      ...["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", PRIVATE, `[::ffff:${PRIVATE}]`],
      // No name server of the machine knows these names, so only the browser itself can refuse them.
      ...["inside.example", "loopback.example", "mapped.example"],
    ];
    for (const host of closed) await expect(open(host), host).rejects.toThrow();
    // What a page of a public site asks for.
    const page = await open("cats.example");
    expect(page.state.title).toBe("Opened cats.example");
    expect(network.requests.slice(before).filter((request) => !request.startsWith("cats.example "))).toEqual(
      [],
    );
  });
});

interface Network {
  /** A program that starts the browser in the network. */
  browser: string;
  /** Requests so far, as `HOST /path`. */
  requests: readonly string[];
}

async function startNetwork(): Promise<Network> {
  const folder = await mkdtemp(path.join(tmpdir(), "network-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
  const steps = [
    "ip link set lo up",
    `ip address add ${PUBLIC.ipv4}/32 dev lo`,
    `ip address add ${PRIVATE}/32 dev lo`,
    `ip -6 address add ${PUBLIC.ipv6}/128 dev lo`,
    // The browser asks for no IPv6 address where none can be reached.
    "ip -6 route add default dev lo",
    `mount --bind '${folder}/resolv.conf' "$(readlink -f /etc/resolv.conf)"`,
    `exec "$@"`,
  ];
  const server = [process.execPath, path.join(import.meta.dirname, "network.mjs"), JSON.stringify(NAMES)];
  const keeper = spawn("unshare", [...NAMESPACE, "sh", "-ec", steps.join("\n"), "sh", ...server], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => ended(keeper));
  const requests: string[] = [];
  let printed = "";
  let ready = () => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  keeper.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
    const lines = printed.split("\n");
    printed = lines.pop() ?? "";
    for (const line of lines)
      if (line === "ready") ready();
      else requests.push(line);
  });
  await Promise.race([
    isReady,
    once(keeper, "exit").then(() => {
      throw new Error("the network did not start");
    }),
  ]);
  const browser = path.join(folder, "browser");
  const enter = `nsenter --target ${keeper.pid} --user --preserve-credentials --net --mount`;
  await writeFile(browser, `#!/bin/sh\nexec ${enter} '${await ensureChromium()}' --no-sandbox "$@"\n`, {
    mode: 0o755,
  });
  return { browser, requests };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
