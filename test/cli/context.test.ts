/** Slash commands, workflows, rules and mentions as the terminal host sends them, through the whole loop and real files. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import iconv from "iconv-lite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "neko.txt": "吾輩は猫である。\n" });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "All is done." } };
const use = (...answers: ScriptPart[]) =>
  server.setScript({ scope: "server", turns: answers.map((part) => ({ answer: [part] })) });
/** The text of the first user message of a request. */
const said = (request: number) => {
  const message = server.chat(request).messages[1] as { content: { text: string }[] };
  return message.content[0]?.text ?? "";
};

async function put(name: string, content: string | Uint8Array): Promise<void> {
  const file = path.join(project.folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

const instructed = (name: string) =>
  new RegExp(`^<explicit_instructions type="${name}">\\n[\\s\\S]+</explicit_instructions>\\n\\n<task>`);

describe("a slash command on the terminal", () => {
  it("/newtask begins a new task with the context that was agreed to, and with nothing else", async () => {
    use({ tool: "new_task", params: { context: "Go on with the cats." } }, DONE);
    const { code } = await project.converse(["/newtask 猫の続き"], env, [["[n]o", "y\r"]]);
    expect(code).toBe(0);
    expect(said(1)).toMatch(instructed("newtask"));
    expect(said(2)).toBe("<task>\nGo on with the cats.\n</task>");
    expect((await project.run(["--list"], env)).stdout.trim().split("\n").length).toBeGreaterThan(1);
  });

  it("/newrule writes a rule after a yes, and the next task is under it", async () => {
    use({ tool: "new_rule", params: { path: "cats.md", content: "猫を大切に。" } }, DONE, DONE);
    const { code } = await project.converse(["/newrule"], env, [["[n]o", "y\r"]]);
    expect(code).toBe(0);
    expect(said(1)).toMatch(instructed("newrule"));
    expect(await project.read(".nekode/rules/cats.md")).toContain("猫を大切に。");
    await project.run(["go on"], env);
    expect(JSON.stringify(server.chat(3).messages[0])).toContain("# Rules from .nekode/rules/cats.md");
  });

  it("/init has AGENTS.md written after a yes", async () => {
    use({ tool: "write_to_file", params: { path: "AGENTS.md", content: "# Cats\n" } }, DONE);
    const { code } = await project.converse(["/init"], env, [["[n]o", "y\r"]]);
    expect(code).toBe(0);
    expect(said(1)).toMatch(instructed("init"));
    expect(await project.read("AGENTS.md")).toBe("# Cats\n");
  });

  it("/deep-planning plans with commands for this shell", async () => {
    use({ tool: "write_to_file", params: { path: "implementation_plan.md", content: "[Overview]\n" } }, DONE);
    const { code } = await project.run(["--approve", "read,edit", "/deep-planning 猫を犬に"], env);
    expect(code).toBe(0);
    expect(said(1)).toMatch(instructed("deep-planning"));
    expect(said(1)).toContain("find . -type f");
    expect(said(1)).toMatch(/<task>\n猫を犬に\n<\/task>$/);
    expect(await project.read("implementation_plan.md")).toBe("[Overview]\n");
  });

  it("/reportbug names the host and the model", async () => {
    use(DONE);
    expect((await project.run(["/reportbug it barks"], env)).code).toBe(0);
    expect(said(1)).toMatch(instructed("reportbug"));
    expect(said(1)).toContain("host: Terminal;");
    expect(said(1)).toContain("model: scripted");
  });

  it.each(["/compact keep the names", "/smol keep the names"])(
    "%s condenses the session that is gone on with",
    async (command) => {
      use(
        { tool: "read_file", params: { path: "neko.txt" } },
        DONE,
        { text: "## Task\nRead the cat." },
        DONE,
      );
      await project.run(["read the cat"], env);
      expect((await project.run(["--continue", command], env)).code).toBe(0);
      expect(JSON.stringify(server.chat(3).messages.at(-1))).toContain("keep the names");
      expect((await project.run(["--continue", "go on"], env)).code).toBe(0);
      const sent = JSON.stringify(server.chat(4).messages);
      expect(sent).toContain("<summary>\\n## Task\\nRead the cat.\\n</summary>");
      expect(sent).not.toContain("吾輩は猫である");
    },
  );

  it.each(["look at /usr/local/bin", "/path/like/this", "/nothing of ours", "/Newtask", "and/or /newtask,"])(
    "is not what stands in %j",
    async (text) => {
      use(DONE);
      expect((await project.run([text], env)).code).toBe(0);
      expect(said(1)).toBe(`<task>\n${text}\n</task>`);
    },
  );
});

describe("a workflow on the terminal", () => {
  it("that names itself and others is text, once", async () => {
    await put(".nekode/workflows/release.md", "Run /release, then /newtask with @/neko.txt.\n");
    use(DONE);
    await project.run(["please /release 1.0"], env);
    expect(said(1)).toBe(
      '<explicit_instructions type="release">\nRun /release, then /newtask with @/neko.txt.\n</explicit_instructions>\n\n<task>\nplease  1.0\n</task>',
    );
  });

  it("in Shift-JIS is read as it was meant", async () => {
    await put(
      ".nekode/workflows/リリース.md",
      iconv.encode("手順に従って、猫を公開してください。番号を一つ上げます。\n", "shift_jis"),
    );
    use(DONE);
    await project.run(["/リリース"], env);
    expect(said(1)).toContain("手順に従って、猫を公開してください。番号を一つ上げます。");
  });

  it.each([
    ["of 5 MB", "x".repeat(5_000_000), /The workflow bad cannot be used: the file is larger than 100 KB/],
    [
      "that is binary",
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2, 0, 255, 254, 0, 3]),
      /The workflow bad cannot be used: /,
    ],
  ])("%s is said, not sent", async (_name, content, words) => {
    await put(".nekode/workflows/bad.md", content);
    use(DONE);
    expect((await project.run(["/bad"], env)).code).toBe(0);
    expect(said(1)).toMatch(words);
    expect(said(1).length).toBeLessThan(1_000);
  });
});
