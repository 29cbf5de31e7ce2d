/** Slash commands, workflows, rules and mentions as the terminal host sends them, through the whole loop and real files. */
import { describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { DONE, env, instructed, placeOfEachTest, project, put, said, server, use } from "./context-place.ts";

placeOfEachTest();

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

  it("/reportbug names the host and the model", async () => {
    use(DONE);
    expect((await project.run(["/reportbug it barks"], env)).code).toBe(0);
    expect(said(1)).toMatch(instructed("reportbug"));
    expect(said(1)).toContain("host: Terminal;");
    expect(said(1)).toContain("model: scripted");
  });

  it.each(sampled(["/smol keep the names", "/compact keep the names"], 2))(
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

  // test/unit/core/context/slash-commands.test.ts has every kind of text.
  it.each(sampled(["and/or /newtask,", "/nothing of ours", "/Newtask", "/usr/local/bin"], 4))(
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
});
