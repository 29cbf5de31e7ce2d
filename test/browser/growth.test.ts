/** How large the panel's page is, and how it grows: in nodes, and over a long conversation in bytes of the heap. */
import type { CDPSession } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { type Point, slopeOf } from "../support/heap.ts";
import { done, id, session, text, user } from "./support/events.ts";
import { drawn } from "./support/scroll.ts";
import { host, openPanel, page, row, servePanels } from "./support/suite.ts";

servePanels();

/** Nodes of the page, those that nothing shows any more included: scripts may still hold them. */
const NODES_AT_START = 320;
const NODES_AFTER_300_CALLS = 360;

const TURNS = 500;
/** Until then, code is still being compiled, and rows that are off the page still are to leave it. */
const FROM = 200;
const EVERY = 50;
/** Bytes a turn that the page may keep beyond the conversation as JSON, of which it has rows and heights. */
const BEYOND = 3_072;

async function collector(): Promise<CDPSession> {
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.enable");
  return client;
}

async function nodes(client: CDPSession): Promise<number> {
  await drawn(page);
  await client.send("HeapProfiler.collectGarbage");
  return (await client.send("Memory.getDOMCounters")).nodes;
}

async function heldHeap(client: CDPSession): Promise<number> {
  await drawn(page);
  // What finalizers release goes in the second round.
  await client.send("HeapProfiler.collectGarbage");
  await client.send("HeapProfiler.collectGarbage");
  return (await client.send("Runtime.getHeapUsage")).usedSize;
}

function call(n: number, tool: string, subject: string): EventBody[] {
  const callId = `call-${n}`;
  return [{ type: "call", messageId: id(), callId, tool, subject }, ...done(callId)];
}

describe("the page", () => {
  it("has few nodes at the start, and hardly more after 300 calls", async () => {
    await openPanel({ isNew: true });
    await page.getByText("write", { exact: false }).first().waitFor();
    const client = await collector();
    const before = await nodes(client);
    host.emit(session(), user("Look at everything"));
    for (let n = 0; n < 300; n++)
      host.emit(...call(n, ["read_file", "execute_command", "write_to_file"][n % 3] ?? "", `file-${n}.ts`));
    host.emit(text("I have seen everything."), { type: "status", status: "idle" });
    await row("text").getByText("I have seen everything.").waitFor();
    const after = await nodes(client);
    expect(before).toBeLessThanOrEqual(NODES_AT_START);
    expect(after).toBeLessThanOrEqual(NODES_AFTER_300_CALLS);
  });

  it("keeps of a conversation of 500 turns what it consists of", { timeout: 300_000 }, async () => {
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
});
