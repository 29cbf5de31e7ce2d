/** MCP servers in tasks of the terminal host, with real servers. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { processesNaming } from "../support/processes.ts";
import { overAt, Project } from "./support.ts";

const packages = path.join(import.meta.dirname, "../../node_modules/@modelcontextprotocol");
const EVERYTHING = path.join(packages, "server-everything/dist/index.js");
const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

let model: ModelServer;
let project: Project;
let env: Record<string, string>;
/** The same, for runs that need a server: the first turn waits ten seconds for it, which a busy machine may exceed. */
let patient: Record<string, string>;

beforeEach(async () => {
  model = await startModelServer();
  project = await Project.create({});
  env = { NEKODE_BASE_URL: model.url, NEKODE_MODEL: "scripted" };
  patient = { ...env, ...overAt(10) };
});
afterEach(async () => {
  expect(model.refusals).toEqual([]);
  // Nothing that was started for this test still runs: each server has the project's folder among its arguments.
  await expect.poll(() => processesNaming(project.folder)).toEqual([]);
  await model.close();
  await project.remove();
});

/** The model calls this tool of the server `every`, then completes the task. */
const calls = (tool: string, args: Record<string, unknown>) =>
  model.setScript({
    turns: [
      {
        answer: [
          {
            tool: "use_mcp_tool",
            params: { server_name: "every", tool_name: tool, arguments: JSON.stringify(args) },
          },
        ],
      },
      DONE,
    ],
  });
const everything = () => ({ command: process.execPath, args: [EVERYTHING, "stdio", project.folder] });
const addEverything = async () => {
  const { command, args } = everything();
  expect((await project.run(["mcp", "add", "every", "--", command, ...args])).code).toBe(0);
};
const configure = (servers: Record<string, unknown>) =>
  writeFile(path.join(project.folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
const task = (...args: string[]) => ["--protocol", "xml", ...args, "do it"];
/** What the model received last. */
const sent = () => JSON.stringify(model.chat(model.requests.length).messages);

describe("the user's server", () => {
  it("is called after an approval that shows the tool and its arguments", async () => {
    await addEverything();
    calls("get-sum", { a: 2, b: 40 });
    const { code, stdout } = await project.converse(task(), patient, [["this tool", "y\r"]]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/every \/ get-sum\r?\n\{\r?\n {2}"a": 2,\r?\n {2}"b": 40\r?\n\}/);
    expect(sent()).toContain("42");
    expect(stdout).toContain("All done.");
  });

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

  it("that fails is named with its output, and the task continues", async () => {
    const failing = ["-e", 'console.error("no database"); process.exit(3)', project.folder];
    await project.run(["mcp", "add", "every", "--", process.execPath, ...failing]);
    calls("echo", { message: "one" });
    const { code, stdout, stderr } = await project.run(task("--approve", "mcp"), patient);
    expect(stderr).toContain(
      "nekode: The MCP server every failed: the server exited with code 3\n  The server's last output:\n  no database\n",
    );
    expect({ code, stdout: stdout.includes("All done.") }).toEqual({ code: 0, stdout: true });
  });
});

describe("a project's server", () => {
  const trace = 'require("node:fs").writeFileSync("started", "");';

  it("is not started with nobody to ask; how to approve it is named, and the task runs", async () => {
    await configure({ every: { command: process.execPath, args: ["-e", trace, project.folder] } });
    model.setScript({ turns: [DONE] });
    const { code, stderr } = await project.run(task("--approve", "all"), env);
    expect(code).toBe(0);
    expect(stderr).toContain("nekode mcp add --project every");
    expect(existsSync(path.join(project.folder, "started"))).toBe(false);
    expect(sent()).not.toContain("## every");
  });

  it("starts after a yes on the terminal to what is shown, and is used", async () => {
    await configure({ every: everything() });
    calls("echo", { message: "hello" });
    const { code, stdout } = await project.converse(task("--approve", "mcp"), patient, [
      ["[y]es or [n]o", "y\r"],
    ]);
    expect(stdout).toContain(`args: ${EVERYTHING}`);
    expect(code).toBe(0);
    expect(sent()).toContain("Echo: hello");
    calls("echo", { message: "again" });
    expect((await project.run(task("--approve", "mcp"), patient)).code).toBe(0);
    expect(sent()).toContain("Echo: again");
  });

  it("does not start after a no, which holds for the run", async () => {
    await configure({ every: { command: process.execPath, args: ["-e", trace, project.folder] } });
    model.setScript({ turns: [DONE, DONE] });
    const { code, stdout } = await project.converse(["--protocol", "xml"], patient, [
      ["> ", "first\r"],
      ["[y]es or [n]o", "n\r"],
      ["All done.", ""],
      ["> ", "second\r"],
      ["All done.", ""],
      ["> ", "/exit\r"],
    ]);
    expect(code).toBe(0);
    expect(stdout.split("[y]es or [n]o")).toHaveLength(2);
    expect(existsSync(path.join(project.folder, "started"))).toBe(false);
  });

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
  it("is answered field by field on the terminal", async () => {
    await addEverything();
    calls("trigger-elicitation-request", {});
    const { code, stdout } = await project.converse(task("--approve", "mcp"), patient, [
      ["Answer? [y]es or [n]o", "y\r"],
      ["String:", "Neko\r"],
      ["Boolean (optional)", "maybe\r"],
      ["not a valid answer", "y\r"],
      ["String with default", "\r"],
      ["email", "\r"],
      ["uri", "\r"],
      ["date", "\r"],
      ["Integer", "\r"],
      ["Number in range", "\r"],
      ["Untitled Single", "\r"],
      ["Untitled Multiple", ", 2\r"],
      ["Titled Single", "\r"],
      ["Titled Multiple", "\r"],
      ["Legacy", "\r"],
    ]);
    expect({ code, done: stdout.includes("All done.") }).toEqual({ code: 0, done: true });
    expect(sent()).toContain("Neko");
    expect(sent()).toMatch(/Guitar.*Piano/);
  });

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
  const prompt = (text: string) => ["--protocol", "xml", text];

  it("is filled in by its server, with the resource that the message mentions", async () => {
    await addEverything();
    model.setScript({ turns: [DONE] });
    const text = "/every:args-prompt city=Tokyo @every:demo://resource/dynamic/text/7";
    const { code, stdout } = await project.run(prompt(text), patient);
    expect({ code, done: stdout.includes("All done.") }).toEqual({ code: 0, done: true });
    expect(sent()).toContain(
      '<server_prompt server=\\"every\\" prompt=\\"args-prompt\\">\\nWhat\'s weather in Tokyo',
    );
    expect(sent()).toContain(
      '<resource server=\\"every\\" uri=\\"demo://resource/dynamic/text/7\\">\\nResource 7: This is a plaintext',
    );
  });

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
    const trace = 'require("node:fs").writeFileSync("started", "")';
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
