/** The report for an issue that the command of the palette copies. */
import assert from "node:assert/strict";
import path from "node:path";
import * as vscode from "vscode";
import { createTerminalHost } from "../../src/node/terminal-host.ts";
import { windowReport } from "../../src/vscode/copy-report.ts";
import { Config } from "../../src/vscode/editor-settings.ts";
import { MemorySecrets } from "./support/memory-secrets.ts";

describe("The report for an issue", () => {
  it("names the editor, and neither keys nor the workspace", async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    assert.notEqual(root, "");
    const log = { info: () => undefined, error: assert.fail };
    const host = createTerminalHost({ root, assetsDir: "", log, policy: undefined });
    const secrets = new MemorySecrets();
    const config = new Config(secrets);
    try {
      await secrets.store("nekode.apiKey", "canary-key-0123456789");
      const text = await windowReport({
        ...{ host, config, version: "9.8.7" },
        searchKeys: async () => [],
        show: async () => undefined,
      });
      assert.match(text, /^- Nekode: 9\.8\.7 \(vscode\)\n/);
      assert.match(text, new RegExp(`^- Editor: .* ${vscode.version.replaceAll(".", "\\.")}, remote: `, "m"));
      for (const word of ["canary", root, path.basename(root)]) assert.ok(!text.includes(word), text);
    } finally {
      config.dispose();
      host.shell.dispose();
    }
  });
});
