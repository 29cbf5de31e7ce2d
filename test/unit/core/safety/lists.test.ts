/** Entries of the lists: which of them an approval stores, and what they let through. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approvalPrefix } from "../../../../src/core/safety/commands/approval-prefix.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { shellKind } from "../../../safety/corpus.ts";
import { judgeCommand } from "../../../safety/judge.ts";

const commands = z.array(z.string());
const { never, entries } = z
  .object({
    never: z.partialRecord(shellKind, commands),
    entries: z.array(
      z.object({
        entry: z.string(),
        covers: commands.default([]),
        not: commands.default([]),
        stored: z.boolean().default(true),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL("../../../safety/entry-cases.json", import.meta.url), "utf8")));

const judge = async (command: string, allow: string[], deny: string[] = [], more = {}) =>
  (await judgeCommand(command, { shell: "bash", allow, deny, ...more })).verdict;

describe("an entry", () => {
  it.each(entries)("$entry covers its own words and nothing else", async ({ entry, covers, not, stored }) => {
    expect(approvalPrefix(entry, "bash")).toBe(stored ? entry : undefined);
    const verdict = (command: string) => judge(command, [entry, "tail", "cat", "ls"]);
    for (const command of not.includes(entry) ? covers : [entry, ...covers])
      expect(await verdict(command), command).toBe("allow");
    for (const command of not) expect(await verdict(command), command).toBe("ask");
  });

  it.each(shellKind.options)(
    "is never stored of an interpreter, or of what runs its words, in %s",
    (shell) => {
      const stored = (never[shell] ?? []).filter((command) => approvalPrefix(command, shell) !== undefined);
      expect(stored).toEqual([]);
    },
  );

  it("is stored as the words were seen, without the readers behind them", () => {
    expect(approvalPrefix('git commit -m "a b"', "bash")).toBe("git commit -m 'a b'");
    expect(approvalPrefix('git commit -m "it\'s"', "bash")).toBe("git commit -m 'it'\\''s'");
    expect(approvalPrefix("npm run build 2>&1 | tail -20", "bash")).toBe("npm run build");
    expect(approvalPrefix("git status --short", "powershell")).toBe("git status --short");
  });
});

describe("allow and deny lists", () => {
  it("match whole words; the longest wins; deny wins a tie", async () => {
    expect(await judge("git status", ["git"])).toBe("allow");
    expect(await judge("git statusx", ["git status"])).toBe("ask");
    expect(await judge("git status", ["git status"], ["git"])).toBe("allow");
    expect(await judge("git status", ["git"], ["git status"])).toBe("deny");
    expect(await judge("git status", ["git status"], ["git status"])).toBe("deny");
    expect(await judge("git push --dry-run", ["git push --dry-run"], ["git push"])).toBe("allow");
    expect(await judge("git push", ["git push --dry-run"], ["git push"])).toBe("deny");
  });

  it("see denied commands behind paths, wrappers, case and nesting", async () => {
    for (const command of [
      "/bin/rm x",
      "sudo -u root rm x",
      "env A=1 rm x",
      "if true; then rm x; fi",
      "echo $(rm x)",
      "A=1 rm x",
      "ls | xargs -n 1 rm",
      "(ls; (rm x))",
    ]) {
      expect(await judge(command, ["ls", "echo"], ["rm"]), command).toBe("deny");
    }
    expect(await judge("RM x", [], ["rm"], { platform: "darwin" })).toBe("deny");
    expect(await judge("RM x", [], ["rm"], { platform: "linux" })).toBe("ask");
    expect(await judge("echo rm", ["echo"], ["rm"])).toBe("allow");
  });

  it("ask for history expansion where the shell is interactive", async () => {
    expect(await judge('echo "a !b"', ["echo"])).toBe("allow");
    expect(await judge('echo "a !b"', ["echo"], [], { interactive: true })).toBe("ask");
    expect(await judge("echo 'a !b'", ["echo"], [], { interactive: true })).toBe("allow");
  });
});

describe("files that a command reads", () => {
  it("are judged as the file tools judge them", async () => {
    const judgeRead = async (path: string) => ({
      verdict: path.includes("link") || path.startsWith("/") ? ("ask" as const) : ("allow" as const),
      reason: reasonOf("outside-project", path),
    });
    const more = { reads: { judge: judgeRead, list: async () => ["a.ts", "link"] } };
    expect(await judge("cat a.txt /dev/null", ["cat"], [], more)).toBe("allow");
    for (const command of [
      "cat a.txt /etc/hosts",
      "grep -e x --file=link a",
      "head -n1 link",
      "cat ~/x",
      "cat link*/x",
      "cat *",
      "cat l?nk",
      "git show HEAD:link",
    ]) {
      expect(await judge(command, ["cat", "grep", "head", "git show"], [], more), command).toBe("ask");
    }
    expect(await judge("ls link", ["ls"], [], more)).toBe("allow");
    expect(await judge("grep link a.txt", ["grep"], [], more)).toBe("allow");
  });

  it("ask where .nekodeignore names them", async () => {
    const more = { ignored: (path: string) => path.startsWith("private/") };
    expect(await judge("cat private/a", ["cat"], [], more)).toBe("ask");
    expect(await judge("cat public/a", ["cat"], [], more)).toBe("allow");
  });
});

describe("the judge", () => {
  // Work that grew with the square of these would take minutes.
  it("answers for a command of 100 KB, and for deep nesting", async () => {
    expect(await judge(`echo ${"x".repeat(100_000)}`, ["echo"])).toBe("ask");
    const pieces = ["(", "{ ", "$(", "`", '"', "<(", "[[", "a|", "a;", "\\", "{a,", "!", "((", "$" + "{x:-"];
    for (const piece of pieces) await judge(piece.repeat(2000), ["a"]);
  });
});
