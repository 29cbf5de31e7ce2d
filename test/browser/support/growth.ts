/** What tests of the page's growth measure with, and what they let it show. */
import type { CDPSession } from "playwright-core";
import type { EventBody } from "../../../src/shared/event.ts";
import { done, id } from "./events.ts";
import { page } from "./suite.ts";

export async function collector(): Promise<CDPSession> {
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.enable");
  return client;
}

/** A finished call. */
export function call(n: number, tool: string, subject: string): EventBody[] {
  const callId = `call-${n}`;
  return [{ type: "call", messageId: id(), callId, tool, subject }, ...done(callId)];
}
