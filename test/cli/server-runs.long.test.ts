/**
 * More of MCP servers in tasks of the terminal host: approvals that last, servers that nobody approves in time, and prompts that are
 * not sent. `server-runs.test.ts` proves the main way of each, and test/unit/node/servers the rules.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  addEverything,
  calls,
  configure,
  DONE,
  env,
  model,
  patient,
  placeOfEachTest,
  project,
  prompt,
  sent,
  task,
  trace,
} from "./server-runs-place.ts";
import { overAt } from "./support.ts";

placeOfEachTest();

describe("the user's server", () => {
  it("is called without asking with --approve mcp, and always after an a", async () => {
    await addEverything();
    calls("echo", { message: "one" });
    expect((await project.run(task("--approve", "mcp"), patient)).code).toBe(0);
    expect(sent()).toContain("Echo: one");
    calls("echo", { message: "two" });
    expect(
      (
        await project.converse(task(), patient, [
          ["this tool", "a\r"],
          ["Allow every: echo", "a\r"],
        ])
      ).code,
    ).toBe(0);
    calls("echo", { message: "three" });
    expect((await project.run(task(), patient)).code).toBe(0);
    calls("get-env", {});
    expect((await project.run(task(), patient)).code).toBe(4);
  });
});

describe("a project's server", () => {
  it("is asked about no longer than --timeout, and does not start", async () => {
    await configure({ every: { command: process.execPath, args: ["-e", trace, project.folder] } });
    model.setScript({ turns: [DONE] });
    const limited = { ...env, ...overAt(5, "[y]es or [n]o") };
    const { code } = await project.converse(task("--timeout", "5"), limited, [["[y]es or [n]o", ""]]);
    expect(code).toBe(3);
    expect(existsSync(path.join(project.folder, "started"))).toBe(false);
    expect(model.requests).toEqual([]);
  });
});

describe("a server's question", () => {
  it("is declined with a no, and withdrawn with nobody to ask", async () => {
    await addEverything();
    calls("trigger-elicitation-request", {});
    const declined = await project.converse(task("--approve", "mcp"), patient, [["Answer?", "n\r"]]);
    expect(declined.code).toBe(0);
    expect(sent()).toMatch(/decline/);
    calls("trigger-elicitation-request", {});
    const { code, stderr } = await project.run(task("--approve", "mcp"), patient);
    expect(code).toBe(0);
    expect(stderr).toContain("no terminal to ask on");
    expect(sent()).toMatch(/cancel/);
  });
});

describe("a prompt of a server as a command", () => {
  it("that is used wrong is not sent, and the exit code is that of a wrong use", async () => {
    await addEverything();
    const missing = await project.run(prompt("/every:args-prompt"), patient);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain(
      "nekode: /every:args-prompt requires arguments that are missing: city. Usage: /every:args-prompt city [state]",
    );
    const unknown = await project.run(prompt("/every:nothing"), { ...patient, LANG: "ja_JP.UTF-8" });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/nekode: \/every:nothing .*送信されませんでした/);
    expect(model.requests).toEqual([]);
  });

  it("whose server does not start, or is not approved, is not sent", async () => {
    const failing = ["-e", 'console.error("no database"); process.exit(3)', project.folder];
    await project.run(["mcp", "add", "every", "--", process.execPath, ...failing]);
    const failed = await project.run(prompt("/every:report"), patient);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^nekode: \/every:report was not sent: the server exited with code 3\./m);
    expect(failed.stderr).toContain("no database");
    await configure({ other: { command: process.execPath, args: ["-e", trace, project.folder] } });
    const untrusted = await project.run(prompt("/other:report"), env);
    expect(untrusted.code).toBe(1);
    expect(untrusted.stderr).toContain("nekode mcp add --project other");
    expect(untrusted.stderr).toContain("/other:report was not sent: approve the MCP server other");
    expect(existsSync(path.join(project.folder, "started"))).toBe(false);
    expect(model.requests).toEqual([]);
  });

  it("can be corrected on a terminal", async () => {
    await addEverything();
    model.setScript({ turns: [DONE] });
    const { code, stdout } = await project.converse(["--protocol", "xml"], patient, [
      ["> ", "/every:args-prompt\r"],
      ["city [state]", ""],
      // The input line has the command again.
      ["G/every:args-prompt", " Kyoto\r"],
      ["All done.", ""],
      ["> ", "/exit\r"],
    ]);
    expect({ code, asked: stdout.includes("arguments that are missing: city") }).toEqual({
      code: 0,
      asked: true,
    });
    expect(sent()).toContain("What's weather in Kyoto");
  });

  it("whose server does not answer ends with --timeout, and nothing of it is left", async () => {
    const silent = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const answer = (rest) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
      if (method === "initialize")
        answer({ result: { protocolVersion: params.protocolVersion, capabilities: { prompts: {} }, serverInfo: { name: "s", version: "1" } } });
      else if (method === "prompts/list") answer({ result: { prompts: [{ name: "slow" }] } });
      else if (method !== "prompts/get" && id !== undefined) answer({ error: { code: -32601, message: "unknown" } });
    });`;
    await project.run(["mcp", "add", "every", "--", process.execPath, "-e", silent, project.folder]);
    const limited = { ...env, ...overAt(5, "Waiting for the MCP server every") };
    const { code, stderr } = await project.run(["--timeout", "5", ...prompt("/every:slow")], limited);
    expect(stderr).toContain("Waiting for the MCP server every before your message is sent");
    expect(code).toBe(3);
    expect(model.requests).toEqual([]);
  });

  it("a resource that cannot be read is named, and the task runs", async () => {
    await addEverything();
    model.setScript({ turns: [DONE] });
    const { code, stderr } = await project.run(prompt("see @every:demo://nothing"), patient);
    expect(code).toBe(0);
    expect(stderr).toContain("@every:demo://nothing");
    expect(sent()).toContain("(not included: ");
  });
});
