/**
 * A window that is reloaded, or whose extension host dies, at each phase of a task: what is seen, and how it goes on.
 * test/e2e/reload.test.ts plays two of them for `npm test`; test/browser/project/reload and test/unit/core/sessions prove the rest.
 */
import { expect, it } from "vitest";
import { rounds } from "../support/random.ts";
import { cutAtApproval, cutInMidStream, goOn, inCutWindow, kill, reload } from "./support/cut-tasks.ts";
import { panel, server, vscode } from "./support/usual-window.ts";

inCutWindow();

it("in mid-stream, a kill of the extension host: said, and gone on with at a press", () =>
  cutInMidStream(kill));

it("while an approval waits, a reload: it asks again", () => cutAtApproval(reload));

/** Kills right after a task is sent; each hits another moment, the more so where something else keeps the disk busy. */
const kills = rounds(1, 10);

it.each([
  ...Array.from({ length: kills }, (_, i) => [`kill ${i + 1} of the extension host`, kill] as const),
  ["a reload", reload] as const,
])(
  "right after a task is sent, %s: it is said, or still in the composer, and sent once",
  async (name, cut) => {
    const wish = `Wish before ${name}`;
    const input = panel.getByTestId("chat-input");
    const said = vscode.row("user", wish);
    await vscode.send(wish);
    // The host has it, and the disk at least as a draft: before that, a reload takes what the page has not passed on.
    await panel.getByTestId("stop").or(said).first().waitFor();
    await cut();
    // One of the two, whichever moment the window ended at.
    await expect.poll(async () => (await said.count()) + Number((await input.inputValue()) === wish)).toBe(1);
    const answer = vscode.row("text", "Something else.");
    if ((await said.count()) === 0) await input.press("Enter");
    else {
      await goOn().or(answer).first().waitFor();
      if (await goOn().isVisible()) await goOn().click();
    }
    await answer.waitFor();
    await expect.poll(() => said.count()).toBe(1);
    await vscode.screenshot(`reload-sent-${name.split(" ").slice(0, 2).join("-")}`);
  },
);

it.each([
  ["a reload", reload],
  ["a kill of the extension host", kill],
] as const)("while a command runs, %s: the user and the model are told", async (name, cut) => {
  await vscode.send("Command");
  await panel.getByTestId("approve").click();
  await vscode.row("command", "begun 42").waitFor();
  await cut();
  await vscode.row("command", /interrupted|ended by/).waitFor();
  await vscode.screenshot(`reload-command-${name.split(" ")[1]}`);
  await goOn().click();
  await vscode.row("text", "I know that it was cut off.").waitFor();
  const { messages } = server.chat(server.requests.length);
  expect(JSON.stringify(messages.filter(({ role }) => role === "tool"))).toMatch(/interrupted|SIGTERM/i);
  expect(vscode.workspace?.exists("ran-on")).toBe(false);
});
