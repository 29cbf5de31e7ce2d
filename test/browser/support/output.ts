/** What the tests of both tiers of output share. */
import type { ShownResult } from "../../../src/shared/message.ts";
import { session, user } from "./events.ts";
import { host, openPanel, page } from "./suite.ts";

/** `more`: of what the row shows about the result. */
export async function ran(output: string, more: Partial<ShownResult> = {}): Promise<void> {
  host.emit(
    session(),
    user("Test it"),
    { type: "call", messageId: "m", callId: "c", tool: "execute_command", subject: "npm test" },
    { type: "call-running", callId: "c" },
    { type: "output", callId: "c", delta: output },
    {
      type: "call-done",
      callId: "c",
      outcome: "done",
      shown: { output, exitCode: 0, durationMs: 5, ...more },
    },
  );
  await openPanel();
  await page.getByTestId("output").waitFor();
}
