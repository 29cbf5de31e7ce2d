/** What runs without asking, chosen under the input by keyboard: what each level does, and how long it holds. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../../model-server/server.ts";
import { hasSandbox } from "../../support/sandbox.ts";
import { JOURNEY, openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;
let page: Page;

beforeAll(async () => {
  const run = (command: string): ScriptPart => ({
    tool: "execute_command",
    params: { command, requires_approval: false },
  });
  const answers: ScriptPart[][] = [
    [{ tool: "write_to_file", params: { path: "made.txt", content: "made\n" } }],
    [run("cat made.txt")],
    [run("rm made.txt")],
    [{ text: "That is all." }],
  ];
  server = await startModelServer({
    script: { turns: answers.map((answer, i) => ({ match: { request: i + 1 }, times: true, answer })) },
  });
  nekode = await openProjectPanel({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  page = nekode.page;
});
afterAll(async () => {
  await nekode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const button = () => page.getByTestId("permission-picker");
const word = async () => ((await button().textContent()) ?? "").replace("Permissions: ", "");
const chosen = (title: string) =>
  page.getByRole("menuitemradio", { name: title }).and(page.locator(":focus"));

/** From the input by Tab, and in the menu by letters of the level's name. */
async function choose(title: string, letters: string): Promise<void> {
  await nekode.input.click();
  for (let i = 0; i < 8 && (await button().and(page.locator(":focus")).count()) === 0; i++)
    await nekode.press("Tab");
  await nekode.press("Enter");
  // The menu takes the focus after it is drawn.
  await page.getByRole("menuitemradio").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(letters);
  await chosen(title).waitFor();
  await nekode.press("Enter");
  await button().and(page.locator(":focus")).waitFor();
}

/** Runs the same task; the subjects of what asked, in order. */
async function whatAsks(): Promise<string[]> {
  const asked: string[] = [];
  await nekode.send("Do the three things");
  const end = nekode.row("text", "That is all.");
  const approve = page.getByTestId("approve");
  for (;;) {
    await approve.or(end).first().waitFor();
    if (await end.isVisible()) return asked;
    const subject = page.locator(".ask-subject");
    const before = (await subject.textContent()) ?? "";
    asked.push(/(?:cat |rm )?made\.txt/.exec(before)?.[0] ?? before);
    await approve.click();
    await subject.filter({ hasText: before }).waitFor({ state: "detached" });
  }
}

it("does at each level what it says, in that session alone", JOURNEY, async () => {
  await expect.poll(word).toBe("Ask");
  // What only reads runs in the sandbox.
  const commands = hasSandbox ? ["rm made.txt"] : ["cat made.txt", "rm made.txt"];
  expect(await whatAsks()).toEqual(["made.txt", ...commands]);

  await nekode.newTask();
  await choose("Edits Read and", "Ed");
  await expect.poll(word).toBe("Edits");
  expect(await whatAsks()).toEqual(commands);

  await nekode.newTask();
  await choose("Edits and safe commands", "ee");
  await expect.poll(word).toBe("Safe commands");
  // In the sandbox, with what is deleted backed up first.
  expect(await whatAsks()).toEqual(hasSandbox ? [] : ["rm made.txt"]);

  await nekode.newTask();
  await choose("Everything", "Ev");
  await expect.poll(word).toBe("Everything");
  expect(await whatAsks()).toEqual([]);
  expect(nekode.workspace.exists("made.txt")).toBe(false);
});

it(
  "keeps the level with its session, seen as long as everything runs, over a reload and in the history",
  JOURNEY,
  async () => {
    const look = () =>
      button().evaluate((element) => {
        const { outlineStyle, backgroundColor } = getComputedStyle(element);
        return { outlineStyle, backgroundColor };
      });
    await nekode.reload();
    await nekode.row("text", "That is all.").waitFor();
    await expect.poll(word).toBe("Everything");
    const loud = await look();

    await nekode.newTask();
    await expect.poll(word).toBe("Ask");
    expect(await look()).not.toEqual(loud);

    for (const [index, level] of ["Everything", "Safe commands", "Edits", "Ask"].entries()) {
      await (await nekode.openHistory()).nth(index).click();
      await nekode.row("text", "That is all.").waitFor();
      await expect.poll(word).toBe(level);
    }
  },
);
