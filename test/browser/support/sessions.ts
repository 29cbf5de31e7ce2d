/** What the tests of both tiers of sessions share. */
import type { SessionItem } from "../../../src/shared/view/session-item.ts";
import { user } from "./events.ts";
import { host, openPanel, page } from "./suite.ts";

const command = {
  tool: "execute_command",
  subject: "npm test -- --run test/unit",
  face: { icon: "terminal", title: { doing: "Running" }, row: "command", work: "command", opens: [] },
} as unknown as NonNullable<SessionItem["call"]>;

export const TASKS: SessionItem[] = [
  { id: "a", title: "Add a search field to the list of orders", state: "approval", call: command },
  { id: "q", title: "Choose a library for dates", state: "question" },
  { id: "f", title: "Update the dependencies", state: "failed" },
  { id: "d", title: "猫の写真を表示する", state: "done" },
  { id: "w", title: "", state: "working" },
];

export const item = (id: number) => page.getByTestId("session-item").nth(id);

export async function listed(options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  await openPanel(options);
  host.emit({ type: "session", id: "s", title: "The one on screen" }, user("Do it"));
  host.listTasks(...TASKS, { id: "s", title: "The one on screen", state: "working" });
  await item(0).waitFor();
}
