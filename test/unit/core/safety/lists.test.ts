import { describe, expect, it } from "vitest";
import { approvalPrefix } from "../../../../src/core/safety/commands/approval-prefix.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { judgeCommand } from "../../../safety/judge.ts";

const judge = async (command: string, allow: string[], deny: string[] = [], more = {}) =>
  (await judgeCommand(command, { shell: "bash", allow, deny, ...more })).verdict;

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

  it("never let a bare interpreter through, but a script that is named", async () => {
    expect(await judge("python3 -c 'x'", ["python3"])).toBe("ask");
    expect(await judge("python3 -c x", ["python3 -c"])).toBe("ask");
    expect(await judge("bash build.sh", ["bash"])).toBe("ask");
    expect(await judge("node scripts/check.mjs", ["node scripts/check.mjs"])).toBe("allow");
    expect(await judge("node scripts/check.mjs --fix-all", ["node scripts/check.mjs"])).toBe("ask");
    expect(await judge("python -m pytest -v", ["python -m pytest"])).toBe("ask");
    expect(await judge("python -m pytest -v", ["python -m pytest -v"])).toBe("allow");
  });

  it("take what was listed word by word, with its options", async () => {
    expect(await judge("npm install left-pad", ["npm install left-pad"])).toBe("allow");
    expect(await judge("npm install right-pad", ["npm install left-pad"])).toBe("ask");
    expect(await judge("npm install left-pad x", ["npm install left-pad"])).toBe("ask");
    expect(await judge("sort -o a b", ["sort"])).toBe("ask");
    expect(await judge("sort -o a b", ["sort -o a b"])).toBe("allow");
    expect(await judge("sort -o a c", ["sort -o a b", "sort"])).toBe("ask");
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

  it("cover no further words of a program that may do more than read", async () => {
    expect(await judge("make test", ["make test"])).toBe("allow");
    expect(await judge("make test SHELL=/tmp/x", ["make test"])).toBe("ask");
    expect(await judge("mvn test deploy", ["mvn test"])).toBe("ask");
    expect(await judge("git fetch", ["git fetch"])).toBe("allow");
    expect(await judge("git fetch origin", ["git fetch"])).toBe("ask");
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
      "cat link",
      "cat a.txt /etc/hosts",
      "grep -e x --file=link a",
      "head -n1 link",
      "cat ~/x",
      'cat "$HOME/x"',
      "cat link*/x",
      "cat *",
      "cat l?nk",
      "git show HEAD:link",
      "wc -l ./link",
    ]) {
      expect(await judge(command, ["cat", "grep", "head", "git show", "wc"], [], more), command).toBe("ask");
    }
    expect(await judge("cat *.ts", ["cat"], [], more)).toBe("allow");
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

describe("approvalPrefix", () => {
  it("stores the words as seen, quoted where needed", async () => {
    expect(approvalPrefix("npm run build", "bash")).toBe("npm run build");
    expect(approvalPrefix('git commit -m "a b"', "bash")).toBe("git commit -m 'a b'");
    expect(approvalPrefix("git status --short", "powershell")).toBe("git status --short");
    for (const command of ["npm run build", 'git commit -m "it\'s so"', "make 'a;b'", "sort -o x y"]) {
      const entry = approvalPrefix(command, "bash");
      expect(entry).toBeDefined();
      const expected = command.includes("$") ? "ask" : "allow";
      expect(await judge(command, [entry ?? ""]), command).toBe(expected);
    }
  });

  it.each([
    "python3 -c 'x'",
    "node -e x",
    "bash -c ls",
    "sh x",
    "sudo ls",
    "env x",
    "xargs rm",
    "eval x",
    "ls; pwd",
    "ls | sh",
    "ls > x",
    "ls *.ts",
    "echo $HOME",
    "ls\npwd",
    "X=1 ls",
    "",
    "ls \u200b",
    "/usr/bin/python3 x",
    "time ls",
    "npx x",
  ])("stores nothing for %j", (command) => expect(approvalPrefix(command, "bash")).toBeUndefined());
});
