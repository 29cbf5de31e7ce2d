/** The panel's page in a webview, wherever VS Code shows the webview. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Transport } from "../../shared/rpc.ts";
import { pageHtml } from "./page.ts";

/** The folders that the page may load from. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  const folder = (...names: string[]) => vscode.Uri.joinPath(extensionUri, ...names);
  return { enableScripts: true, localResourceRoots: [folder("dist", "webview"), folder("media")] };
}

/** Loads the page. Its transport must already be connected. `tab`: the id of its editor tab. */
export function loadPage(webview: vscode.Webview, extensionUri: vscode.Uri, tab?: string): void {
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString();
  webview.html = pageHtml({
    nonce: randomBytes(24).toString("base64url"),
    cspSource: webview.cspSource,
    scriptUri: file("index.js"),
    styleUri: file("index.css"),
    boot: {
      language: vscode.env.language,
      translations: vscode.l10n.bundle ?? {},
      ...(tab === undefined ? {} : { tab }),
    },
  });
}

export function transportOf(webview: vscode.Webview): Transport {
  return {
    send(frame) {
      webview.postMessage(frame);
    },
    listen(receive) {
      const listener = webview.onDidReceiveMessage(receive);
      return () => listener.dispose();
    },
  };
}
