/** Many approved edits in a row: beside somebody who types, and as fast as they go. */
import type { FrameLocator } from "playwright-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeEach(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await vscode.close();
  await server.close();
});

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1} ${word}\n`).join("");

/** One replace_in_file a turn, line by line, then the end. `pause` is in milliseconds before each. */
function editScript(file: string, count: number, pause: number): Script {
  return {
    turns: [
      ...Array.from({ length: count }, (_, at) => ({
        match: { request: at + 1 },
        answer: [
          ...(pause > 0 ? [{ wait: pause }] : []),
          {
            tool: "replace_in_file",
            params: {
              path: file,
              diff: `------- SEARCH\nline ${at + 1} old\n=======\nline ${at + 1} new\n+++++++ REPLACE`,
            },
          },
        ],
      })),
      {
        match: { request: count + 1 },
        answer: [{ tool: "attempt_completion", params: { result: "All edited." } }],
      },
    ],
  };
}

async function send(text: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
}
const result = () => panel.locator("[data-testid=row][data-kind=result]");

async function open(files: Record<string, string>, settings: Record<string, unknown> = {}): Promise<void> {
  vscode = await openWorkbench({
    files,
    modelServer: { baseUrl: server.url },
    settings: {
      "nekode.approval.edit": true,
      "nekode.approval.maxRequests": 1_000,
      "nekode.provider.protocol": "native",
      "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
      ...settings,
    },
  });
  panel = await vscode.openPanel();
}

it("lets the person type on in another editor while 20 edits are written", async () => {
  await open({ "notes.txt": "", "work.txt": lines(20, "old") });
  await vscode.openFile("work.txt");
  await vscode.openFile("notes.txt");
  server.setScript(editScript("work.txt", 20, 150));
  await send("Edit all lines");
  await vscode.page.locator(".editor-instance .view-lines").first().click();
  // Whatever takes the focus from now on, a frame or an element of the workbench, is told here.
  await vscode.page.evaluate(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    addEventListener("blur", () => moved.push(`the window, to ${document.activeElement?.tagName}`));
    addEventListener("focusin", ({ target }) => {
      moved.push(target instanceof Element ? `${target.tagName}.${target.className}` : "something");
    });
  });
  const words = Array.from({ length: 100 }, (_, at) => `w${String(at).padStart(3, "0")}`).join(" ");
  const typed = `${words}.`;
  expect(typed).toHaveLength(500);
  await vscode.page.keyboard.type(typed, { delay: 8 });
  await server.waitForRequest(21);
  await result().waitFor();
  const moved = await vscode.page.evaluate(() => Reflect.get(window, "moved"));
  expect(moved).toEqual([]);
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await vscode.tab("notes.txt").and(vscode.page.locator(".dirty")).waitFor({ state: "hidden" });
  await expect.poll(() => vscode.workspace?.read("notes.txt")).toBe(typed);
  expect(await vscode.workspace?.read("work.txt")).toBe(lines(20, "new"));
  await vscode.screenshot("many-edits-typed");
});

it.each([
  ["open in an editor", "work.txt"],
  ["not open", "other.txt"],
])("makes 100 small edits of a file that is %s as fast as the model asks for them", async (how, shown) => {
  const count = 100;
  await open({ "work.txt": lines(count, "old"), "other.txt": "" });
  await vscode.openFile(shown);
  server.setScript(editScript("work.txt", count, 0));
  const answered: number[] = [];
  const seen = new Set<object>();
  const started = performance.now();
  await send("Edit all lines");
  for (let turn = 1; turn <= count + 1; turn++) {
    const request = await server.waitForRequest(turn);
    if (seen.has(request)) continue;
    seen.add(request);
    void request.closed.then(() => {
      answered[turn - 1] = Date.now();
    });
  }
  await result().waitFor();
  const took = performance.now() - started;
  expect(await vscode.workspace?.read("work.txt")).toBe(lines(count, "new"));
  // From the end of one answer to the next request: what is the extension's and the editor's own.
  const own = server.requests
    .slice(1)
    .map((request, at) => request.receivedAt - (answered[at] ?? request.receivedAt))
    .sort((a, b) => a - b);
  const quantile = (q: number) => own[Math.floor((own.length - 1) * q)] ?? 0;
  process.stdout.write(
    `100 edits, ${how}: ${(took / 1000).toFixed(1)} s; between an answer and the next request: median ${quantile(0.5)} ms, 95 % ${quantile(0.95)} ms, most ${quantile(1)} ms\n`,
  );
  await vscode.screenshot(`many-edits-done-${shown}`);
});
