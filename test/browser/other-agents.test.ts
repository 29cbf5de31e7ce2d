/** The page "From other agents": what is found, the selection, a check, and the import with what it reports. */
import { beforeEach, expect, it } from "vitest";
import type { FoundList } from "../../src/shared/history/found-list.ts";
import { host, openPanel, overflow, page, picture, servePanels, showScreen } from "./support/suite.ts";

const at = "2026-05-01T10:00:00.000Z";
const FOUND: FoundList = [
  {
    product: "claude",
    problems: [{ code: "link", path: "/home/neko/.claude/projects/linked" }],
    sessions: [
      { key: "claude:1", title: "Find the cat", folder: "/home/neko/app", bytes: 2_000, updatedAt: at },
      { key: "claude:2", title: "猫を犬に\u202e", folder: "/home/neko/app", bytes: 3_000, updatedAt: at },
    ],
  },
  { product: "cline", problems: [], sessions: [{ key: "cline:3", title: "", bytes: 10, updatedAt: at }] },
];

/** What the page asked, without the first request, which lists. */
let asked: unknown[] = [];

servePanels();
beforeEach(async () => {
  asked = [];
  host.foreign = ({ keys, dry, settings }) => {
    if (settings) return { proposals: [], left: [], problems: [] };
    if (keys === undefined) return FOUND;
    asked.push(dry ? { keys, dry } : { keys });
    const losses = [{ title: "Find the cat", code: "", detail: "", unreadable: 2 }];
    return { imported: keys.length - 1, known: 1, failed: 0, losses };
  };
  await openPanel({ width: 250 });
  showScreen("history");
  await page.getByTestId("history-menu").click();
  await page.getByTestId("other-agents-open").click();
  await page.getByRole("heading", { name: "Claude Code: 2 sessions, 5.0 KB" }).waitFor();
});

const result = () => page.getByTestId("import-result");

it("lists products, folders and what was not read, and shows hidden characters of titles", async () => {
  await page.getByRole("heading", { name: "Cline: 1 session, 10 B" }).waitFor();
  await page.getByText("Not read, because it is a link: /home/neko/.claude/projects/linked").waitFor();
  await page.getByRole("button", { name: "2 of 2 selected · 2 sessions, 5.0 KB" }).click();
  await page.getByText("猫を犬に‹U+202E›").waitFor();
  await expect.poll(() => overflow()).toBe(0);
  await picture("other-agents-dark-250");
});

it("imports what is selected, and says what was imported before and what is missing", async () => {
  await page.getByRole("button", { name: "2 of 2 selected · 2 sessions, 5.0 KB" }).click();
  await page.getByRole("checkbox", { name: "Find the cat" }).click();
  await page.getByRole("button", { name: "Import selected: 2" }).waitFor();
  await page.getByRole("checkbox", { name: "All sessions of /home/neko/app" }).click();
  await page.getByRole("button", { name: "Import selected: 3" }).click();
  await result().getByText("Imported: 2. Imported before: 1. Could not be imported: 0.").waitFor();
  await result().getByText("Find the cat: 2 entries could not be read.").waitFor();
  expect(asked.map((one) => JSON.stringify(one))).toEqual(['{"keys":["claude:2","cline:3","claude:1"]}']);
});

it("checks without importing, and leads back to the history", async () => {
  await page.getByTestId("import-dry").click();
  await result().getByText("Would be imported: 2.").waitFor();
  expect(asked).toEqual([{ keys: ["claude:1", "claude:2", "cline:3"], dry: true }]);
  await page.getByRole("button", { name: "History", exact: true }).click();
  await page.getByTestId("history-search").waitFor();
  // The host need not keep the list.
  await expect.poll(() => asked.at(-1)).toEqual({ keys: [] });
});
