/** Up to 20 local MCP servers that start at once. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Curve } from "../report.ts";
import { connectedServer, localConnector } from "../server-calls.ts";
import { type Costs, curvesOf, timed, type Wanted } from "./curve.ts";

const SIZES = [1, 5, 10, 20];
const ROUNDS = 3;
const size = "servers";
const WANTED: Wanted[] = [
  { name: "started, with the tools of all of them, by server", size, unit: "ms" },
  { name: "one call of each, by server", size, unit: "ms" },
  { name: "longest pause while they start", size, unit: "ms", target: "< 100 ms" },
];

async function ofServers(count: number): Promise<Costs> {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-"));
  const costs: Costs = Object.fromEntries(WANTED.map(({ name }) => [name, []]));
  try {
    const { connector, launch } = await localConnector(folder);
    for (let round = 0; round < ROUNDS; round++) {
      let started: Awaited<ReturnType<typeof connectedServer>>[] = [];
      const start = await timed(async () => {
        started = await Promise.all(Array.from({ length: count }, () => connectedServer(connector, launch)));
      });
      costs["started, with the tools of all of them, by server"]?.push(start.ms / count);
      costs["longest pause while they start"]?.push(start.pauseMs);
      const call = await timed(() => Promise.all(started.map((each) => each.call())));
      costs["one call of each, by server"]?.push(call.ms / count);
      await Promise.all(started.map((each) => each.close()));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return costs;
}

export const serverCurves = (): Promise<Curve[]> => curvesOf(WANTED, SIZES, ofServers);
