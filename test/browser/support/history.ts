/** The list of earlier tasks, and one message of the user's, as the tests of both tiers open them. */
import type { SessionSummary } from "../../../src/shared/protocol.ts";
import { session, user } from "./events.ts";
import { host, openPanel, page, showScreen } from "./suite.ts";

export const summary = (id: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id,
  title: `Task ${id}`,
  startedAt: "2025-01-02T03:04:05Z",
  updatedAt: "2025-01-02T03:04:05Z",
  messageCount: 3,
  cost: 0,
  tokens: 10,
  ...more,
});

export async function openHistory(): Promise<void> {
  await openPanel();
  showScreen("history");
  await page.getByTestId("history-search").waitFor();
}

export const items = () => page.getByTestId("history-item");
export const unfold = (title: string) =>
  page.getByRole("button", { name: `More actions for ${title}` }).click();
export const action = (name: string) => page.getByRole("menuitem", { name });

export const parent = { id: "p", title: "Task p" };
export const children = [
  summary("c1", { parent }),
  summary("c2", { parent, updatedAt: "2025-01-01T03:04:05Z" }),
];
export const started = () => page.getByTestId("history-started");
export const nested = () => page.getByRole("list", { name: "Started by Task p" }).getByTestId("history-item");

/** Opens the panel with one message, which can be changed. */
export async function openMessage(): Promise<void> {
  host.mention = (uris) => ({ mentions: uris.map(() => "@/inu.txt"), problems: [] });
  host.emit(session(), user("first wish"));
  await openPanel();
  await page.getByText("first wish").waitFor();
}
