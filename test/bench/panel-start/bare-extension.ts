/**
 * An extension with one view that shows an empty text area: the least that VS Code takes for any view. A press on its button reads the
 * messages of a file and shows the texts of the newest ones, as plain paragraphs.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

export const BARE_NAME = "Bare view";
/** Messages of the file that the view shows, and the row of the last one. */
const SHOWN_MESSAGES = 200;
export const BARE_ROW = "last";
/** The text that its status bar item has once both extensions run. */
export const STARTED = "Extensions started";

const MANIFEST = {
  name: "bare",
  publisher: "nekode-bench",
  version: "0.0.1",
  engines: { vscode: "^1.90.0" },
  main: "./main.js",
  activationEvents: ["onStartupFinished"],
  contributes: {
    viewsContainers: { activitybar: [{ id: "bare", title: BARE_NAME, icon: "icon.svg" }] },
    views: { bare: [{ type: "webview", id: "bare.view", name: BARE_NAME }] },
  },
};

const page = (file: string) => `<!DOCTYPE html><html><body>
<textarea id=bare-input></textarea><button id=bare-open>Open</button>
<div data-testid=transcript style="height: 400px; overflow: auto"></div>
<script>
const host = acquireVsCodeApi();
const box = document.querySelector("[data-testid=transcript]");
document.getElementById("bare-open").onclick = () => {
  box.replaceChildren();
  host.postMessage(${JSON.stringify(file)});
};
addEventListener("message", ({ data }) => {
  const rows = data.map((text) => Object.assign(document.createElement("p"), { textContent: text }));
  rows.at(-1).dataset.row = ${JSON.stringify(BARE_ROW)};
  box.replaceChildren(...rows);
  box.scrollTop = box.scrollHeight;
});
</script></body></html>`;

const main = (file: string) => `
const { readFile } = require("node:fs/promises");
const vscode = require("vscode");
const textOf = (block) => block.text ?? (block.parts ?? []).map((part) => part.text).join("\\n");
exports.activate = () => {
  vscode.window.registerWebviewViewProvider(
    "bare.view",
    {
      resolveWebviewView({ webview }) {
        webview.options = { enableScripts: true };
        webview.html = ${JSON.stringify(page(file))};
        webview.onDidReceiveMessage(async (file) => {
          const messages = JSON.parse(await readFile(file, "utf8"));
          const newest = messages.slice(-${SHOWN_MESSAGES});
          await webview.postMessage(newest.map(({ blocks }) => blocks.map(textOf).join("\\n")));
        });
      },
    },
    { webviewOptions: { retainContextWhenHidden: true } },
  );
  vscode.extensions.getExtension("nekode.nekode").activate().then(() => {
    const item = vscode.window.createStatusBarItem();
    item.text = ${JSON.stringify(STARTED)};
    item.show();
  });
};
`;

/** Puts it into a folder of extensions that VS Code has not used yet. `file`: the messages that it shows, as JSON. */
export async function addBareExtension(extensionsDir: string, file: string): Promise<void> {
  const folder = path.join(extensionsDir, "nekode-bench.bare-0.0.1");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify(MANIFEST));
  await writeFile(path.join(folder, "main.js"), main(file));
  const icon =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24"/></svg>';
  await writeFile(path.join(folder, "icon.svg"), icon);
}
