/** What TypeScript's server says of an approved write; `saving.test.ts` proves what is told, with problems of its own. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Kit, until } from "./support/kit.ts";

/** Milliseconds for what TypeScript's server tells by an event: on a busy machine it takes half a minute to start. */
const SERVER_TIMEOUT = 60_000;

describe("An approved write", () => {
  let kit: Kit;
  beforeEach(() => {
    kit = new Kit();
  });
  afterEach(async () => {
    await kit.dispose();
  });

  it("tells what TypeScript's own server newly finds, and not what it found before", async () => {
    await kit.file("typed.ts", "export const old: number = 'x';\nexport const size: number = 1;\n");
    await kit.show("typed.ts");
    const speaks = () => vscode.languages.getDiagnostics(kit.uri("typed.ts")).length > 0;
    await until("the server is at work", speaks, SERVER_TIMEOUT);
    const changed = "export const old: number = 'x';\nexport const size: number = true;\n";
    const saved = await kit.approve("typed.ts", changed);
    assert.equal(saved.newProblems.length, 1);
    assert.match(saved.newProblems[0] ?? "", /^line 2: error: Type 'boolean' .*\(ts 2322\)$/);
    await kit.approve("typed.ts", "export const size: number = 1;\n");
    await until("the server has nothing left to say", () => !speaks(), SERVER_TIMEOUT);
    // The server has to start first.
  }).timeout(4 * SERVER_TIMEOUT);
});
