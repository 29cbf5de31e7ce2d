/** How many nodes the panel's page has; what it keeps of a long conversation, in bytes of the heap, is in growth.long.test.ts. */
import type { CDPSession } from "playwright-core";
import { expect, it } from "vitest";
import { session, text, user } from "./support/events.ts";
import { call, collector } from "./support/growth.ts";
import { drawn } from "./support/scroll.ts";
import { host, openPanel, page, row, servePanels } from "./support/suite.ts";

servePanels();

/** Nodes of the page, those that nothing shows any more included: scripts may still hold them. */
const NODES_AT_START = 320;
const NODES_AFTER_300_CALLS = 360;

async function nodes(client: CDPSession): Promise<number> {
  await drawn(page);
  await client.send("HeapProfiler.collectGarbage");
  return (await client.send("Memory.getDOMCounters")).nodes;
}

it("the page has few nodes at the start, and hardly more after 300 calls", async () => {
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
