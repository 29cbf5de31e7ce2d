/**
 * A window that is reloaded, or whose extension host dies, at each phase of a task: what is seen, and how it goes on.
 * test/browser/project/reload.test.ts and test/unit/core/sessions prove it for `npm test` without a window, and
 * test/cli/killed.test.ts kills the terminal host.
 */
import { beforeEach, expect, it } from "vitest";
import type { ScriptTurn } from "../model-server/server.ts";
import { rounds } from "../support/random.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

const TURNS: ScriptTurn[] = [
  {
    match: { firstUser: "Talk", request: 1 },
    answer: [{ text: "The first half. " }, { hold: "middle" }, { text: "The second half." }],
  },
  { match: { firstUser: "Talk" }, times: true, answer: [{ text: "Told to the end." }] },
  {
    match: { firstUser: "Command", request: 1 },
    answer: [
      {
        tool: "execute_command",
        params: { command: "echo begun $((40 + 2)); sleep 300; touch ran-on", requires_approval: true },
      },
    ],
  },
  { match: { firstUser: "Command" }, times: true, answer: [{ text: "I know that it was cut off." }] },
  {
    match: { firstUser: "Write", request: 1 },
    answer: [{ tool: "write_to_file", params: { path: "made.txt", content: "made\n" } }],
  },
  { match: { firstUser: "Write" }, times: true, answer: [{ text: "It is written." }] },
  { times: true, answer: [{ text: "Something else." }] },
];

inUsualWindow();
beforeEach(() => server.setScript({ turns: TURNS }));

const reload = async () => {
  await vscode.reload();
  await vscode.openPanel();
};
/** VS Code starts another extension host, but may take minutes to see that the first is dead: people reload. */
const kill = async () => {
  expect(vscode.killExtensionHosts()).toBeGreaterThan(0);
  await reload();
};
const goOn = () => panel.getByTestId("retry");

/** A window that is closed and opened, and an extension host that dies at whatever it does. */
const CUTS = [
  ["a reload", reload],
  ["a kill of the extension host", kill],
] as const;

it.each(CUTS)("in mid-stream, %s: said, and gone on with at a press", async (_name, cut) => {
  await vscode.send("Talk");
  await server.waitForHold("middle");
  await vscode.row("text", "The first half.").waitFor();
  const before = server.requests.length;
  await cut();
  await vscode.row("notice", "interrupted").waitFor();
  await vscode.row("user", "Talk").waitFor();
  await vscode.screenshot(`reload-stream-${cut.name}`);
  // Nothing is asked for until the user goes on.
  expect(server.requests).toHaveLength(before);
  await goOn().click();
  await vscode.row("text", "Told to the end.").waitFor();
  expect(server.requests).toHaveLength(before + 1);
  await goOn().waitFor({ state: "detached" });
});

it.each(CUTS)("while an approval waits, %s: nothing is written, and it asks again", async (_name, cut) => {
  await vscode.send("Write");
  await panel.getByTestId("approve").waitFor();
  await cut();
  await panel.getByTestId("approve").waitFor();
  await vscode.screenshot(`reload-approval-${cut.name}`);
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
  await panel.getByTestId("approve").click();
  await vscode.row("text", "It is written.").waitFor();
  expect(await vscode.workspace?.read("made.txt")).toBe("made\n");
});

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

it.each(CUTS)("while a command runs, %s: the user and the model are told", async (name, cut) => {
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
