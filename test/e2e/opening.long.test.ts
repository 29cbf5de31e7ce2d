/**
 * A session of 5,000 messages is opened from the history at its newest rows. How long that takes from the click to the
 * paint, and where the time goes, is printed; NEKODE_REPEAT=9 npx vitest run --project e2e test/e2e/opening.long.test.ts repeats
 * it in a larger project.
 */
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openSessionStore } from "../../src/core/sessions/store.ts";
import { createAssets } from "../../src/node/assets.ts";
import { systemClock } from "../../src/node/clock.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import { registerProjectStore } from "../../src/node/store/project-store.ts";
import { Content } from "../bench/session-content.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

const repeat = Number(process.env.NEKODE_REPEAT ?? 1);
const MESSAGES = 5_000;
/** Further sessions of the project, which the store holds as well. */
const others = repeat > 1 ? 50 : 5;

const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
const log = { info: () => {}, error: (text: string) => console.error(text) };
const LARGE = "00000000-0000-4000-9000-000000000000";
const TITLE = "the long one";

interface Opening {
  /** Milliseconds from the click until the rows came from the host, and until they are painted. */
  arrived: number;
  painted: number;
}

let server: ModelServer;
let vscode: Workbench;
/** How the last message of the long session begins. */
let newest = "";

describe("a session of 5,000 messages in a real window", () => {
  beforeAll(async () => {
    server = await startModelServer();
    vscode = await openWorkbench({
      files: { "a.txt": "a\n" },
      modelServer: { baseUrl: server.url },
      fresh: true,
    });
    await fill(path.join(vscode.userDataDir, "nekode"), vscode.workspace?.folder ?? "");
  }, 120_000);
  afterAll(async () => {
    await vscode.close();
    await server.close();
  });

  it("is on show at its newest rows after the click", { timeout: 60_000 + repeat * 15_000 }, async () => {
    const panel = await vscode.openPanel();
    const openings: Opening[] = [];
    for (let i = 0; i < repeat; i++) {
      if (i > 0) {
        await vscode.runCommand("Nekode: New Task");
        // It puts the focus into the panel, which would close the next command's list, before this can be seen.
        await panel.getByTestId("row").first().waitFor({ state: "detached" });
      }
      await vscode.runCommand("Nekode: Show History");
      const item = panel.getByTestId("history-item").filter({ hasText: TITLE });
      await item.waitFor();
      const frame = await vscode.panelFrame();
      await watch(frame);
      await item.click();
      openings.push(await result(frame));
    }
    const load = loadavg().map((value) => value.toFixed(1));
    const ms = (pick: (opening: Opening) => number) => {
      const sorted = openings.map(pick).sort((a, b) => a - b);
      const [best = 0, middle = 0, worst = 0] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
      return `median ${middle.toFixed(0)} ms (${best.toFixed(0)} to ${worst.toFixed(0)})`;
    };
    console.log(
      [
        `${repeat} openings of ${MESSAGES} messages, load average ${load.join(", ")}`,
        `  click to the rows' arrival in the panel: ${ms(({ arrived }) => arrived)}`,
        `  arrival to the paint: ${ms(({ arrived, painted }) => painted - arrived)}`,
        `  click to the paint: ${ms(({ painted }) => painted)}, the first ${openings[0]?.painted.toFixed(0)} ms`,
      ].join("\n"),
    );
    await panel.getByTestId("row").filter({ hasText: newest }).waitFor();
  });
});

async function fill(dataDir: string, root: string): Promise<void> {
  const { folder } = await registerProjectStore({ dataDir, root, log });
  const store = await openSessionStore(createStorage(folder), createAssets(wasm), systemClock, log);
  const content = new Content(1);
  const common = { projectPath: root, model: "a-model", mode: "act" as const };
  for (let index = 0; index <= others; index++) {
    const id = index === others ? LARGE : `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const startedAt = new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString();
    const count = index === others ? MESSAGES : 200;
    const patch = { endedAt: startedAt };
    const named = { id, startedAt, title: index === others ? TITLE : content.text(40), ...common };
    const all = content.session(id, count);
    for (const block of all.at(-1)?.blocks ?? []) if (block.type === "text") newest = block.text.slice(0, 40);
    await store.import(named, all, patch);
  }
  await store.close();
}

declare global {
  interface Window {
    nekodeOpening?: Promise<Opening>;
  }
}

/** From the next click on: the first message from the host that has rows, and the frame in which they are painted. */
async function watch(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    window.nekodeOpening = new Promise((resolve) => {
      let clicked = 0;
      let arrived = 0;
      addEventListener("click", (event) => (clicked = event.timeStamp), { capture: true, once: true });
      addEventListener(
        "message",
        function look(event) {
          if (clicked === 0 || !JSON.stringify(event.data).includes('"earlier"')) return;
          arrived = performance.now();
          removeEventListener("message", look);
        },
        { capture: true },
      );
      const observer = new MutationObserver(() => {
        const isShown =
          document.querySelector("[data-testid=row]") && !document.querySelector(".history-query");
        if (arrived === 0 || !isShown) return;
        observer.disconnect();
        // The frame that paints them has begun when the task after it runs.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port2.onmessage = () =>
            resolve({ arrived: arrived - clicked, painted: performance.now() - clicked });
          port1.postMessage(null);
        });
      });
      observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    });
  });
}

async function result(frame: Frame): Promise<Opening> {
  return frame.evaluate(async () => {
    if (!window.nekodeOpening) throw new Error("nothing was watched");
    return window.nekodeOpening;
  });
}
