/** The keys of search providers in the editor's secret storage: each provider's own, read once, never in the log. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Config } from "../../src/vscode/editor-settings.ts";
import { SearchKeys } from "../../src/vscode/search-keys.ts";
import { MemorySecrets } from "./support/memory-secrets.ts";

describe("The keys of search providers", () => {
  let secrets: MemorySecrets;
  let config: Config;
  let keys: SearchKeys;
  let changes = 0;

  beforeEach(() => {
    secrets = new MemorySecrets();
    config = new Config(secrets);
    keys = new SearchKeys(secrets, config);
    changes = 0;
    keys.onChange(() => {
      changes += 1;
    });
  });
  afterEach(() => {
    keys.dispose();
    config.dispose();
  });

  it("are one for each provider, and of no use to another", async () => {
    await secrets.store("nekode.searchKey.brave", "BSA-1234567890");
    await secrets.store("nekode.apiKey", "sk-another-service");
    assert.equal(changes, 1);
    assert.equal(await keys.get("brave"), "BSA-1234567890");
    assert.equal(await keys.get("tavily"), undefined);
    assert.deepEqual(await keys.all(), ["BSA-1234567890"]);
    assert.ok(config.secrets().includes("BSA-1234567890"));
  });

  it("are read once, and again after a change or when forgotten", async () => {
    await secrets.store("nekode.searchKey.tavily", "tvly-1");
    await keys.all();
    const { asked } = secrets;
    await keys.all();
    assert.equal(secrets.asked, asked);
    await secrets.store("nekode.searchKey.tavily", "tvly-2");
    assert.equal(await keys.get("tavily"), "tvly-2");
    keys.forget();
    assert.deepEqual(await keys.all(), ["tvly-2"]);
    assert.ok(secrets.asked > asked + 1);
    await secrets.delete("nekode.searchKey.tavily");
    assert.deepEqual(await keys.all(), []);
  });

  it("are none on a machine without a keyring", async () => {
    secrets.locked = true;
    assert.deepEqual(await keys.all(), []);
  });

  it("are set by a command of the palette", async () => {
    assert.ok((await vscode.commands.getCommands(true)).includes("nekode.setSearchKey"));
  });
});
