/** Plans as the panel shows them. */
import type { EventBody } from "../../../src/shared/event.ts";
import { assistant } from "./events.ts";

export const PLAN = `# Make the cat louder

Change \`src/cats.js\`, and add the new file \`test/cats.test.js\`.

- [ ] Read how the cat makes its sound
- [ ] Make it louder, but not at night
`;

/** A plan that waits for the user. */
export const planned = (callId: string, response = PLAN): EventBody[] => [
  assistant({ type: "tool-call", id: callId, name: "plan_mode_respond", params: { response } }),
  { type: "call-done", callId, outcome: "done" },
];

export const planState = (callId: string, comments = 0, isEdited = false): EventBody => ({
  type: "plan",
  plan: { callId, comments, isEdited },
});
