/** What the tests of both tiers of why share. */
import type { Explanation } from "../../../src/shared/explanation.ts";
import { ask, session, user } from "./events.ts";
import { host, openPanel, page } from "./suite.ts";

const long = `npm run build -- --out dist/${"deep/".repeat(12)}`;
export const explanation: Explanation = {
  verdict: "ask",
  reason: { code: "not-listed", values: ["npm test"] },
  subject: "command",
  part: "npm test\u202e",
  parts: [
    { text: "git status", verdict: "allow", reason: { code: "allow-listed", values: ["git status"] } },
    { text: "npm test\u202e", verdict: "ask", reason: { code: "not-listed", values: ["npm test"] } },
    { text: long, verdict: "ask", reason: { code: "not-listed", values: ["npm run"] } },
  ],
  remedy: { allow: ["npm test", long], undeny: [], settings: ["nekode.approval.commandSafe"] },
  examples: { runs: "npm test | head -20", asks: "npm install" },
};
export const command = `git status && npm test\u202e && ${long}`;

export async function asked(options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  await openPanel(options);
  host.emit(session(), user("do it"), ...ask("c", "execute_command", command, { command }));
  await page.getByTestId("approve-why").waitFor();
}

export const body = () => page.locator(".why-body");
