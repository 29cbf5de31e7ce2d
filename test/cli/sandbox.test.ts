/** A task whose commands run in the sandbox: what needs no question, what is blocked, and what then asks. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { hasSandbox } from "../support/sandbox.ts";
import { Project } from "./support.ts";

describe.runIf(hasSandbox)("a task", () => {
  let server: ModelServer;
  let project: Project;
  /** A folder that is not the project's, where commands see it. */
  let outside: string;
  beforeEach(async () => {
    outside = await mkdtemp("/var/tmp/nekode-outside-");
    server = await startModelServer();
    project = await Project.create({
      "package.json": JSON.stringify({ scripts: { test: "node build.js && node test.js" } }),
      "build.js": 'require("node:fs").writeFileSync("built.js", "module.exports = 2;\\n");\n',
      "test.js": 'require("node:assert").equal(require("./built.js"), 2); console.log("1 passed");\n',
      "a.txt": "first line\n",
      ".env": "KEY=canary-51\n",
    });
  });
  afterEach(async () => {
    await server.close();
    await project.remove();
    await rm(outside, { recursive: true });
  });

  const run = (command: string, more: Record<string, unknown> = {}): ScriptPart => ({
    tool: "execute_command",
    params: { command, requires_approval: true, ...more },
  });
  const startAt = (level: string, calls: ScriptPart[], args: string[] = [], more = {}) => {
    const turns = [...calls, { tool: "attempt_completion", params: { result: "Done." } }].map(
      (call, index) => ({
        match: { request: index + 1 },
        answer: [call],
      }),
    );
    server.setScript({ turns });
    const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
    return project.run(["--permission", level, ...args, "Do it"], { ...env, ...more });
  };
  const start = (calls: ScriptPart[], ...args: string[]) => startAt("safe", calls, args);
  const resultOf = (request: number) => JSON.stringify(server.chat(request).messages);

  it("builds and tests without a question", async () => {
    const { code, stdout } = await start([run("npm test --silent"), run("rm built.js")]);
    expect(code, stdout).toBe(0);
    expect(resultOf(2)).toContain("1 passed");
    await expect(project.read("built.js")).rejects.toThrow("ENOENT");
  });

  it("is told what was blocked, and asks for what is to run outside", async () => {
    const calls = [
      run(`echo x > ${outside}/file; false`),
      run(`echo x > ${outside}/file`, { outside_sandbox: true }),
    ];
    const { code, stderr } = await start(calls);
    expect(code).toBe(4);
    expect(resultOf(2)).toMatch(/The sandbox probably blocked writing to .*outside_sandbox true/);
    expect(stderr).toContain("outside the sandbox");
    expect(await readdir(outside)).toEqual([]);
  });

  it("asks for each command where the sandbox is off, or asks to be one and is none", async () => {
    expect((await start([run("npm test --silent")], "--sandbox", "off")).code).toBe(4);
    expect((await start([run("npm test --silent")], "--sandbox", "none")).code).toBe(2);
  });

  it("reads no secret, and one that a command names asks", async () => {
    const { code } = await start([
      run('node -p \'try { fs.readFileSync(".e" + "nv", "utf8") } catch (e) { e.code }\''),
      run("cat .env"),
    ]);
    expect(code).toBe(4);
    expect(resultOf(2)).toContain("EACCES");
    expect(resultOf(2)).not.toContain("canary-51");
  });

  it("reads without a question where commands ask, and nothing more, whatever the program does", async () => {
    const program = path.join(outside, "tac");
    const tries = ["cat a.txt", "cat .env", "echo changed > a.txt", `echo x > ${outside}/made`];
    await writeFile(program, `#!/bin/sh\n${tries.join("\n")}\nexit 3\n`, { mode: 0o755 });
    const reads = run("tac a.txt", { requires_approval: false });
    const { code, stdout } = await startAt("ask", [reads], ["--json"], {
      PATH: `${outside}:${process.env.PATH}`,
    });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('"sandbox":{"profile":"read","block":{"kind":"write"');
    const said = resultOf(2);
    expect(said).toMatch(/first line.*Permission denied.*Read-only file system.*Read-only file system/);
    expect(said).not.toContain("canary-51");
    expect(said).toMatch(/The sandbox probably blocked writing to .*outside_sandbox true/);
    expect(await project.read("a.txt")).toBe("first line\n");
    expect(await readdir(outside)).toEqual(["tac"]);
    // Without a sandbox it asks, as what writes does in one.
    expect((await startAt("ask", [reads], ["--sandbox", "off"])).code).toBe(4);
    expect((await startAt("ask", [run("touch b.txt", { requires_approval: false })])).code).toBe(4);
  });
});
