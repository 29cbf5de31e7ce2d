/** How the heap of the panel's page grows over a long conversation; how its nodes do is in growth.test.ts. */
import type { CDPSession } from "playwright-core";
import { expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { type Point, slopeOf } from "../support/heap.ts";
import { session, text, user } from "./support/events.ts";
import { call, collector } from "./support/growth.ts";
import { drawn } from "./support/scroll.ts";
import { host, openPanel, page, row, servePanels } from "./support/suite.ts";

servePanels();

const TURNS = 500;
/** Until then, code is still being compiled, and rows that are off the page still are to leave it. */
const FROM = 200;
const EVERY = 50;
/** Bytes a turn that the page may keep beyond the conversation as JSON, of which it has rows and heights. */
const BEYOND = 3_072;

async function heldHeap(client: CDPSession): Promise<number> {
  await drawn(page);
  // What finalizers release goes in the second round.
  await client.send("HeapProfiler.collectGarbage");
  await client.send("HeapProfiler.collectGarbage");
  return (await client.send("Runtime.getHeapUsage")).usedSize;
}

it("the page keeps of a conversation of 500 turns what it consists of", { timeout: 300_000 }, async () => {
  await openPanel({ isNew: true });
  const client = await collector();
  host.emit(session());
  const points: Point[] = [];
  let bytes = 0;
  for (let turn = 1; turn <= TURNS; turn++) {
    const events: EventBody[] = [
      user(`Question ${turn}`),
      ...(turn % 3 === 0 ? call(turn, "read_file", `file-${turn}.ts`) : []),
      { type: "delta", messageId: `m-${turn}`, block: 0, kind: "text", delta: `Answer **${turn}** ` },
      text(`Answer **${turn}** with \`code\`.`),
      { type: "status", status: "idle" },
    ];
    if (turn > FROM) bytes += JSON.stringify(events).length;
    host.emit(...events);
    await row("text").getByText(`Answer ${turn} with`).waitFor();
    if (turn >= FROM && turn % EVERY === 0) points.push({ turn, bytes: await heldHeap(client) });
  }
  const conversation = bytes / (TURNS - FROM);
  expect(slopeOf(points), JSON.stringify(points)).toBeLessThan(conversation + BEYOND);
});
