/** How late timers are in the terminal host while an answer streams: its event loop's delay. */
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setInterval } from "node:timers/promises";
import { delta, stream } from "../../support/raw-stream.ts";
import type { Compared } from "../report.ts";
import { compared } from "./compared.ts";
import { type Place, run, runTask } from "./program.ts";

const ROUNDS = 3;
const TOKENS_PER_SECOND = 1_000;
const TOKENS = 4_000;
const TICK_MS = 5;
const HOOK = path.resolve("test/fixtures/loop-delay.cjs");

/** Sends what is due by the clock, so that a late tick sends more tokens rather than fewer. */
async function play(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const from = performance.now();
  let sent = 0;
  for await (const _ of setInterval(TICK_MS)) {
    const due = Math.min(TOKENS, Math.floor(((performance.now() - from) * TOKENS_PER_SECOND) / 1000));
    const chunks: unknown[] = [];
    for (; sent < due; sent++) chunks.push(delta({ content: sent % 12 === 11 ? "word.\n\n" : "word " }));
    if (chunks.length > 0) response.write(stream(...chunks));
    if (sent === TOKENS) break;
  }
  response.end(stream(delta({}, "stop"), "[DONE]"));
}

/** The same stream read by bare Node: what the machine and the runtime make of it. */
const reader = (url: string) =>
  `require("node:http").get(${JSON.stringify(url)}, (answer) => answer.on("data", (data) => process.stdout.write(JSON.stringify({ type: "delta", data: String(data) }) + "\\n")).on("end", () => process.stdout.write('{"type":"message"}\\n')))`;

export async function loopDelay(place: Place): Promise<Compared> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => void play(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const record = path.join(place.dataDir, "delay.txt");
  const env = { NEKODE_TEST_RECORD: record, NODE_OPTIONS: `--require=${HOOK}`, NEKODE_BASE_URL: url };
  const p99 = async (work: () => Promise<unknown>) => {
    await writeFile(record, "");
    await work();
    const ms = Number((await readFile(record, "utf8")).trim());
    if (!(ms > 0)) throw new Error("the delay of the event loop was not recorded");
    return ms;
  };
  const [host, bare]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await p99(() => run(place, [process.execPath, "-e", reader(url)], env)));
      host.push(await p99(() => runTask(place, ["--json", "--protocol", "native", "Tell me more"], env)));
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return compared(
    {
      name: `event loop's delay (p99) while ${TOKENS_PER_SECOND.toLocaleString("en")} tokens a second stream`,
      ...{ unit: "ms", target: "< 20 ms", beside: "bare Node that reads the stream" },
    },
    host,
    bare,
  );
}
