/** Many approved edits in a row, as fast as they go. NEKODE_ROUNDS=whole: 100 of each kind. */
import type { FrameLocator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { rounds } from "../support/random.ts";
import { editScript, lines } from "./support/edit-script.ts";
import { shareWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
beforeEach(() => server.forgetRequests());
afterEach(() => expect(server.refusals).toEqual([]));
afterAll(() => server.close());

/** How many edits are made in a row. */
const count = rounds(12, 100);

/** Quick Open may not know a file that came after the window: those of every test that shares it. */
const files = { "other.txt": "", "opened.txt": lines(count, "old"), "closed.txt": lines(count, "old") };

it.each([
  ["open in an editor", "opened.txt", "opened.txt"],
  ["not open", "closed.txt", "other.txt"],
])(
  `makes ${count} small edits of a file that is %s as fast as the model asks for them`,
  async (how, edited, shown) => {
    vscode = await shareWorkbench({
      files,
      modelServer: { baseUrl: server.url },
      settings: {
        "nekode.approval.edit": true,
        "nekode.approval.maxRequests": 1_000,
        "nekode.provider.protocol": "native",
      },
    });
    panel = await vscode.openPanel();
    await vscode.openFile(shown);
    server.setScript(editScript(edited, count, 0));
    const answered: number[] = [];
    const seen = new Set<object>();
    const started = performance.now();
    await vscode.send("Edit all lines");
    for (let turn = 1; turn <= count + 1; turn++) {
      const request = await server.waitForRequest(turn);
      if (seen.has(request)) continue;
      seen.add(request);
      void request.closed.then(() => {
        answered[turn - 1] = Date.now();
      });
    }
    await panel.locator("[data-testid=row][data-kind=result]").waitFor();
    const took = performance.now() - started;
    expect(await vscode.workspace?.read(edited)).toBe(lines(count, "new"));
    // From the end of one answer to the next request: what is the extension's and the editor's own.
    const own = server.requests
      .slice(1)
      .map((request, at) => request.receivedAt - (answered[at] ?? request.receivedAt))
      .sort((a, b) => a - b);
    const quantile = (q: number) => own[Math.floor((own.length - 1) * q)] ?? 0;
    process.stdout.write(
      `${count} edits, ${how}: ${(took / 1000).toFixed(1)} s; between an answer and the next request: median ${quantile(0.5)} ms, 95 % ${quantile(0.95)} ms, most ${quantile(1)} ms\n`,
    );
    await vscode.screenshot(`many-edits-done-${edited}`);
  },
);
