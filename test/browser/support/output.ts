/** What the tests of both tiers of output share. */
import { session, user } from "./events.ts";
import { host, openPanel, page } from "./suite.ts";

export async function ran(output: string): Promise<void> {
  host.emit(
    session(),
    user("Test it"),
    { type: "call", messageId: "m", callId: "c", tool: "execute_command", subject: "npm test" },
    { type: "call-running", callId: "c" },
    { type: "output", callId: "c", delta: output },
    { type: "call-done", callId: "c", outcome: "done", shown: { output, exitCode: 0, durationMs: 5 } },
  );
  await openPanel();
  await page.getByTestId("output").waitFor();
}
