/**
 * An edit that is cut off at seeded moments: by Reject, by Stop, by a reload of the window, by the death of its extension
 * host. The file holds the bytes of before or those of after, nothing between.
 */
import { setTimeout as moment } from "node:timers/promises";
import type { FrameLocator } from "playwright-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { generator, rounds, seedOf } from "../support/random.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

const moments = rounds(6, 100);
const seed = seedOf("interrupted-edits");
const WAYS = ["stop", "kill", "reload", "reject", "approve and stop", "approve and kill"] as const;

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeEach(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
afterEach(async () => {
  await vscode.close();
  await server.close();
});

const text = (word: string) =>
  Array.from(
    { length: 1_500 },
    (_, at) => `${word} ${at} 吾輩は${word === "old" ? "猫" : "犬"}である\n`,
  ).join("");
const before = text("old");
const after = text("new");
const nameOf = (at: number) => `file-${at}.txt`;

async function send(words: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(words);
  await vscode.page.keyboard.press("Enter");
}

async function reload(): Promise<void> {
  await vscode.reload();
  panel = await vscode.openPanel();
}

it.skipIf(process.platform !== "linux")(
  `leaves the bytes of before or of after (${moments} moments, seed ${seed})`,
  { timeout: 60_000 + moments * 60_000 },
  async () => {
    process.stdout.write(`interrupted edits: ${moments} moments, NEKODE_SEED=${seed}\n`);
    const random = generator(seed);
    server.setScript({
      chunkSize: 2_000,
      turns: Array.from({ length: moments }, (_, at) => [
        {
          match: { request: 1, firstUser: `moment-${at};` },
          times: true as const,
          answer: [{ tool: "write_to_file", params: { path: nameOf(at), content: after } }],
        },
        {
          match: { firstUser: `moment-${at};` },
          times: true as const,
          answer: [{ tool: "attempt_completion", params: { result: `moment-${at} is over` } }],
        },
      ]).flat(),
    });
    vscode = await openWorkbench({
      fresh: true,
      files: Object.fromEntries(Array.from({ length: moments }, (_, at) => [nameOf(at), before])),
      modelServer: { baseUrl: server.url },
      settings: { "nekode.provider.protocol": "native" },
    });
    panel = await vscode.openPanel();
    for (let at = 0; at < moments; at++) {
      const way = WAYS[at % WAYS.length] ?? "stop";
      // Half of them while the user has the file open: then it is written through the editor.
      const open = random() < 0.5;
      const delay = Math.round(random() * (way.startsWith("approve") ? 150 : 600));
      if (open) await vscode.openFile(nameOf(at));
      if (at > 0) await vscode.newTask();
      await send(`moment-${at}; write it`);
      await server.waitForRequest(({ text: body }) => body.includes(`moment-${at};`));
      const approve = panel.getByTestId("approve");
      if (way === "reject" || way.startsWith("approve")) {
        await approve.waitFor();
        if (way === "reject") {
          await moment(delay);
          await panel.getByTestId("reject").click();
        } else {
          await approve.click();
          await moment(delay);
        }
      } else {
        await moment(delay);
      }
      if (way === "stop") await panel.getByTestId("stop").click();
      // What was approved may be over by then, and the button gone.
      if (way === "approve and stop")
        await panel
          .getByTestId("stop")
          .click({ timeout: 2_000 })
          .catch(() => {});
      if (way.endsWith("kill")) expect(vscode.killExtensionHosts()).toBeGreaterThan(0);
      const look = async () => {
        const found = await vscode.workspace?.read(nameOf(at));
        return found === before ? "before" : found === after ? "after" : "neither";
      };
      const message = `moment ${at}: ${way} after ${delay} ms, ${open ? "open" : "closed"}`;
      // The editor itself writes a file that is open in place: who looks in that moment sees a part.
      if (open) await expect.poll(look, { message }).not.toBe("neither");
      else expect(await look(), message).not.toBe("neither");
      if (way.endsWith("kill") || way === "reload") await reload();
      // The next moment's new task would be asked about if this one still ran, until it ends.
      if (way.endsWith("stop") || way === "reject")
        await panel.getByTestId("stop").waitFor({ state: "hidden" });
      const settled = await look();
      expect(settled, `${message}, later`).not.toBe("neither");
      if (way === "reject") expect(settled).toBe("before");
      process.stdout.write(`  ${at}: ${way} after ${delay} ms, ${open ? "open" : "closed"}: ${settled}\n`);
    }
  },
);
