/** A network of its own for a browser, where addresses that belong to others are played. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { ensureChromium } from "../../../../scripts/lib/install.mjs";
import { type LaunchOptions, launch, type Opened } from "./support.ts";

/** The network and its users are separate, so that its owner may change it without being the machine's root. */
const NAMESPACE = ["--user", "--map-root-user", "--net", "--mount"];
export const canSeparate =
  process.platform === "linux" && spawnSync("unshare", [...NAMESPACE, "ip", "link"]).status === 0;

export const PUBLIC = { ipv4: "93.184.216.34", ipv6: "2606:2800:220:1::1" };
export const PRIVATE = "10.1.2.3";
/** By the type of the record: 1 is A, 28 is AAAA. */
const NAMES = {
  "cats.example": { 1: [93, 184, 216, 34] },
  "six.example": { 28: [0x26, 0x06, 0x28, 0, 0x02, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] },
  "inside.example": { 1: [10, 1, 2, 3] },
  "loopback.example": { 1: [127, 0, 0, 1] },
  "mapped.example": { 28: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1] },
};

/** Public ones, as addresses and as names. */
export const PUBLIC_HOSTS = ["cats.example", PUBLIC.ipv4, `[${PUBLIC.ipv6}]`, "six.example"];
/** Addresses of this machine and of a private network. */
export const CLOSED_ADDRESSES = [
  ...["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", PRIVATE, `[::ffff:${PRIVATE}]`],
];
/** No name server of the machine knows these names, so only the browser itself can refuse them. */
export const CLOSED_NAMES = ["inside.example", "loopback.example", "mapped.example"];

export interface Network {
  /** Launches the browser in the network on a host. */
  open(host: string): Promise<Opened>;
  /** Requests so far, as `HOST /path`. */
  requests: readonly string[];
}

export async function startNetwork(): Promise<Network> {
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
  const server = [
    process.execPath,
    path.join(import.meta.dirname, "network.mjs"),
    JSON.stringify(NAMES),
    JSON.stringify([...PUBLIC_HOSTS, ...CLOSED_ADDRESSES, ...CLOSED_NAMES]),
  ];
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
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME };
  const options: LaunchOptions = { path: browser, privateHosts: [], ports: { environment } };
  return { open: (host) => launch(`http://${host}/`, options), requests };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
