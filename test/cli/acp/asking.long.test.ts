/**
 * More of MCP servers that an editor passes. `asking.test.ts` proves that one runs, asks and ends with its session, and
 * test/unit/acp/forms-v1.test.ts the forms.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../support/processes.ts";
import { call, DONE, FIXTURE, FORMS, server } from "./asking-place.ts";
import { stage, stageOfEachTest } from "./stage.ts";

stageOfEachTest({ "neko.txt": "cats\n" });

describe("an MCP server that the editor passes", () => {
  it("ends also when the agent is killed", async () => {
    stage.model.setScript({ turns: [call("echo"), DONE] });
    const editor = await stage.editor({ args: ["--protocol", "xml", "--approve", "mcp"], asProcess: true });
    const pids = path.join(stage.project.dataDir, "..", "pids");
    const session = await editor.open(stage.project.folder, [server(pids)]);
    await editor.prompt(session, "call it");
    const [pid = 0] = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
    expect(isAlive(pid)).toBe(true);
    editor.kill("SIGKILL");
    await editor.ended;
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("asks with forms and addresses, whose answers are checked", async () => {
    stage.model.setScript({ turns: [call("ask"), call("visit"), DONE] });
    const editor = await stage.editor({
      args: ["--protocol", "xml", "--approve", "mcp"],
      capabilities: FORMS,
      elicit: () => ({ action: "accept", content: { name: "Tama" } }),
    });
    const pids = path.join(stage.project.dataDir, "..", "pids");
    await editor.prompt(await editor.open(stage.project.folder, [server(pids)]), "call it");
    expect(editor.elicitations).toMatchObject([
      {
        mode: "form",
        message: "The MCP server My-server asks: Who?",
        requestedSchema: { properties: { name: { type: "string", minLength: 2 } }, required: ["name"] },
      },
      { mode: "url", url: "https://example.com/sign" },
    ]);
    const sent = JSON.stringify(stage.model.chat(2).messages);
    expect(sent).toContain("accept");
    expect(sent).toContain("Tama");
  });

  it("that asks in an editor without forms is told so, and the user learns of it", async () => {
    stage.model.setScript({ turns: [call("ask"), DONE] });
    const editor = await stage.editor({ args: ["--protocol", "xml", "--approve", "mcp"] });
    const pids = path.join(stage.project.dataDir, "..", "pids");
    const session = await editor.open(stage.project.folder, [server(pids)]);
    await editor.prompt(session, "call it");
    expect(JSON.stringify(editor.transcript(session))).toContain("that this editor cannot show: Who?");
    expect(JSON.stringify(stage.model.chat(2).messages)).toContain("cancel");
  });

  it("that does not start is reported with what it printed, once", async () => {
    stage.model.setScript({ turns: [{ times: true, answer: [{ text: "Without it." }] }] });
    const editor = await stage.editor({ capabilities: { session: { notices: {} } } });
    const broken = { ...server("x"), args: [FIXTURE, JSON.stringify({ start: "exit" })] };
    const session = await editor.open(stage.project.folder, [broken]);
    const failed = () => editor.of(session, "notice").filter(({ title }) => title.includes("failed"));
    await editor.prompt(session, "hello");
    // A message waits for the start of a server, but not for ever.
    await editor.until(() => failed().length > 0);
    await editor.prompt(session, "hello again");
    expect(failed()).toMatchObject([
      {
        severity: "warning",
        title: expect.stringContaining("The MCP server My-server failed"),
        description: expect.stringContaining("the database is not there"),
      },
    ]);
  });
});
