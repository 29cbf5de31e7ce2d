/** `nekode judge`: the verdict of the real judge and why, in words and as JSON; nothing is run or written. */

import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { explanationSchema } from "../../src/shared/explanation.ts";
import { Project } from "./support.ts";

let project: Project;

beforeEach(async () => {
  project = await Project.create({ "a.txt": "a\n", ".env": "KEY=1\n", ".nekodeignore": "hidden.txt\n" });
  await mkdir(path.join(project.folder, "src"));
  await symlink("/etc/hostname", path.join(project.folder, "link.txt"));
});
afterEach(() => project.remove());

const answer = z.looseObject(z.omit(explanationSchema, { subject: true }).shape);

async function json(...args: string[]) {
  const { code, stdout, stderr } = await project.run(["judge", "--json", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.endsWith("\n") && stdout.indexOf("\n") === stdout.length - 1).toBe(true);
  return answer.parse(JSON.parse(stdout));
}

describe("nekode judge", () => {
  it("names the part, the rule, the remedy and examples as JSON", async () => {
    expect(await json("git status && npm test")).toEqual({
      verdict: "ask",
      reason: { code: "not-listed", values: ["npm test"] },
      text: "npm test is not on the allow list",
      part: "npm test",
      parts: [
        { text: "git status", verdict: "allow", reason: { code: "allow-listed", values: ["git status"] } },
        { text: "npm test", verdict: "ask", reason: { code: "not-listed", values: ["npm test"] } },
      ],
      remedy: { allow: ["npm test"], undeny: [], settings: [] },
      examples: { runs: "npm test | head -20", asks: "npm install" },
    });
  });

  it("has a remedy that works, and examples that hold, when they are tried", async () => {
    const { remedy, examples } = await json("make all");
    expect(remedy?.allow).not.toEqual([]);
    // These are instead of the built-in ones, of which the examples may use some.
    const allow = [...(remedy?.allow ?? []), "head"].flatMap((entry) => ["--allow", entry]);
    expect((await json(...allow, "make all")).verdict).toBe("allow");
    expect((await json(...allow, examples?.runs ?? "")).verdict).toBe("allow");
    expect((await json(...allow, examples?.asks ?? "")).verdict).toBe("ask");
  });

  it("takes its lists from the options instead of the configuration", async () => {
    expect((await json("ls")).verdict).toBe("allow");
    expect((await json("--allow", "npm test", "ls")).verdict).toBe("ask");
    expect((await json("--allow", "npm test", "--allow", "ls", "ls && npm test")).verdict).toBe("allow");
    const denied = await json("--deny", "git push", "git push origin main");
    expect(denied.verdict).toBe("deny");
    expect(denied.reason).toEqual({ code: "deny-listed", values: ["git push"] });
    expect(denied.remedy?.undeny).toEqual(["git push"]);
  });

  it("looks at the disk, as the task does", async () => {
    expect((await json("cat a.txt")).verdict).toBe("allow");
    expect((await json("cat link.txt")).reason.code).toBe("outside-project");
    expect(await json("cat .env")).toMatchObject({ verdict: "ask", reason: { code: "secret-file" } });
    expect((await json("--cwd", "src", "cat ../a.txt")).verdict).toBe("ask");
  });

  it("judges paths", async () => {
    expect(await json("--read", "a.txt")).toMatchObject({
      verdict: "allow",
      reason: { code: "inside-project" },
    });
    expect(await json("--write", "src/new.ts")).toMatchObject({ verdict: "allow" });
    expect(await json("--write", ".git/config")).toMatchObject({ verdict: "ask", remedy: null });
    expect(await json("--read", "link.txt")).toMatchObject({
      verdict: "ask",
      part: "link.txt",
      resolved: "/etc/hostname",
      remedy: { settings: ["nekode.approval.readOutside"] },
      examples: { runs: "link.txt", asks: ".env" },
    });
    expect(await json("--read", "hidden.txt")).toMatchObject({
      verdict: "deny",
      reason: { code: "ignored-file" },
      remedy: { unignore: true },
    });
  });

  it("reads another shell's commands, and standard input", async () => {
    expect(
      (await json("--shell", "powershell", "--allow", "Get-ChildItem", "get-childitem src")).verdict,
    ).toBe("allow");
    expect((await json("--shell", "bash", "--allow", "Get-ChildItem", "get-childitem src")).verdict).toBe(
      "ask",
    );
    const { stdout } = await project.run(["judge", "--json", "-"], {}, "ls src\n");
    expect(answer.parse(JSON.parse(stdout)).verdict).toBe("allow");
    expect((await json("")).reason.code).toBe("empty");
  });

  it("says it in the user's language, with nothing that a terminal obeys", async () => {
    const { code, stdout } = await project.run(["judge", "npm test && x\u001b]0;t\u0007"], {
      LANG: "ja_JP.UTF-8",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("承認が必要");
    expect(stdout).toContain("制御文字");
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
    const english = await project.run(["judge", "git status && npm test"]);
    expect(english.stdout).toBe(
      [
        "requires approval",
        "  Command: npm test",
        "  Reason: npm test is not on the allow list",
        "  To allow without asking: add `npm test` to nekode.commands.allow",
        "  Then also allowed, for example: npm test | head -20",
        "  Still requires approval, for example: npm install",
        "  - git status: allowed",
        "  - npm test: requires approval: npm test is not on the allow list",
        "",
      ].join("\n"),
    );
  });

  it("ends with 2 where it is used wrongly", async () => {
    const wrong = [
      [],
      ["a", "b"],
      ["--read", "a.txt", "ls"],
      ["--shell", "csh", "ls"],
      ["--cwd", "nowhere", "ls"],
    ];
    for (const args of [...wrong, ["--no-such", "ls"], ["--read", ""]]) {
      const { code, stdout, stderr } = await project.run(["judge", ...args]);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
      expect(stderr).toContain("nekode: ");
    }
    expect((await project.run(["judge", "--help"])).stdout).toContain("nekode judge");
  });

  it("leaves no trace", async () => {
    await json("npm test > out.txt");
    expect(existsSync(project.dataDir)).toBe(false);
    expect(existsSync(path.join(project.folder, "out.txt"))).toBe(false);
  });
});
