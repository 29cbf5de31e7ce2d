/** A task whose commands run in the sandbox: what needs no question, what is blocked, and what then asks. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { hasSandbox } from "../support/sandbox.ts";
import { Project } from "./support.ts";

describe.runIf(hasSandbox)("a task at the level of safe commands", () => {
  let server: ModelServer;
  let project: Project;
  /** A folder that is not the project's, where commands see it. */
  let outside: string;
  beforeEach(async () => {
    outside = await mkdtemp("/var/tmp/nekode-outside-");
    server = await startModelServer();
    project = await Project.create({
      "package.json": JSON.stringify({ scripts: { build: "node build.js", test: "node test.js" } }),
      "build.js": 'require("node:fs").writeFileSync("built.js", "module.exports = 2;\\n");\n',
      "test.js": 'require("node:assert").equal(require("./built.js"), 2); console.log("1 passed");\n',
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
  const start = (calls: ScriptPart[], ...args: string[]) => {
    const turns = [...calls, { tool: "attempt_completion", params: { result: "Done." } }].map(
      (call, index) => ({
        match: { request: index + 1 },
        answer: [call],
      }),
    );
    server.setScript({ turns });
    const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
    return project.run(["--permission", "safe", ...args, "Do it"], env);
  };
  const resultOf = (request: number) => JSON.stringify(server.chat(request).messages);

  it("builds and tests without a question", async () => {
    const { code, stdout } = await start([
      run("npm run --silent build && npm test --silent"),
      run("rm built.js"),
    ]);
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
});
