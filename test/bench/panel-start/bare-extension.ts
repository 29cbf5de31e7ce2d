/** An extension with one view that shows an empty text area: the least that VS Code takes for any view. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

export const BARE_NAME = "Bare view";

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

const MAIN = `
const vscode = require("vscode");
exports.activate = () => {
  vscode.window.registerWebviewViewProvider(
    "bare.view",
    {
      resolveWebviewView({ webview }) {
        webview.options = { enableScripts: true };
        webview.html = "<!DOCTYPE html><html><body><textarea id=bare-input></textarea></body></html>";
      },
    },
    { webviewOptions: { retainContextWhenHidden: true } },
  );
};
`;

/** Puts it into a folder of extensions that VS Code has not used yet. */
export async function addBareExtension(extensionsDir: string): Promise<void> {
  const folder = path.join(extensionsDir, "nekode-bench.bare-0.0.1");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify(MANIFEST));
  await writeFile(path.join(folder, "main.js"), MAIN);
  const icon =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24"/></svg>';
  await writeFile(path.join(folder, "icon.svg"), icon);
}
