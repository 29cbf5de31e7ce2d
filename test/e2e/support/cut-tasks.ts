/** A window whose tasks are cut off at one of their phases, by a reload or by the death of its extension host. */
import { beforeEach, expect } from "vitest";
import type { ScriptTurn } from "../../model-server/server.ts";
import { inUsualWindow, panel, server, vscode } from "./usual-window.ts";

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

/** The window of a file's tests, and its model's answers. Called once, at the head of the file. */
export function inCutWindow(): void {
  inUsualWindow();
  beforeEach(() => server.setScript({ turns: TURNS }));
}

export const reload = async () => {
  await vscode.reload();
  await vscode.openPanel();
};
/** VS Code starts another extension host, but may take minutes to see that the first is dead: people reload. */
export const kill = async () => {
  expect(vscode.killExtensionHosts()).toBeGreaterThan(0);
  await reload();
};
export const goOn = () => panel.getByTestId("retry");

/** An answer that is cut off while it streams: nothing is asked for until the user goes on. */
export async function cutInMidStream(cut: () => Promise<void>): Promise<void> {
  await vscode.send("Talk");
  await server.waitForHold("middle");
  await vscode.row("text", "The first half.").waitFor();
  const before = server.requests.length;
  await cut();
  await vscode.row("notice", "interrupted").waitFor();
  await vscode.row("user", "Talk").waitFor();
  await vscode.screenshot(`reload-stream-${cut.name}`);
  expect(server.requests).toHaveLength(before);
  await goOn().click();
  await vscode.row("text", "Told to the end.").waitFor();
  expect(server.requests).toHaveLength(before + 1);
  await goOn().waitFor({ state: "detached" });
}

/** An approval that waits when it is cut off: nothing is written, it asks again, and its answer holds. */
export async function cutAtApproval(cut: () => Promise<void>): Promise<void> {
  await vscode.send("Write");
  await panel.getByTestId("approve").waitFor();
  await cut();
  await panel.getByTestId("approve").waitFor();
  await vscode.screenshot(`reload-approval-${cut.name}`);
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
  await panel.getByTestId("approve").click();
  await vscode.row("text", "It is written.").waitFor();
  expect(await vscode.workspace?.read("made.txt")).toBe("made\n");
}
