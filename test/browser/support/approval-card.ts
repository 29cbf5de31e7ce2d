/** What the tests of both tiers of approval-card share. */
import { type ask, text, user } from "./events.ts";
import { host, openPanel, page } from "./suite.ts";

export const hunks = {
  shown: [
    { line: 4, removed: ['  return "meow";'], added: ['  return loud ? "MEOW" : "meow";'] },
    { line: 9, removed: [], added: ["", "export function purr() {", '  return "purr";', "}", "", "// end"] },
  ],
  more: 0,
};

export const edit = { access: "edit" as const, path: "src/cats.js", added: 7, removed: 1, hunks };

export async function asks(...call: ReturnType<typeof ask>): Promise<void> {
  host.emit(
    { type: "session", id: "s", title: "A task" },
    user("Make the cat louder"),
    text("I will."),
    ...call,
  );
  await openPanel();
  await page.getByTestId("approve").waitFor();
}
