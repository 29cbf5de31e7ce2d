/** No Git command of the agent waits for an editor. Each test has a repository with two commits. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { commandEnvironment } from "../../../src/node/shell/shell-program.ts";
import { temporaryFolder } from "./support.ts";

interface Repository {
  /** Runs Git as a command of the agent does; `text` has all that it printed. */
  git(...words: string[]): Promise<{ succeeded: boolean; text: string }>;
}

const IDENTITY = ["-c", "user.name=Mia", "-c", "user.email=mia@example.org", "-c", "core.editor=sleep 1000"];

async function repository(): Promise<Repository> {
  const cwd = await temporaryFolder();
  const env = commandEnvironment({ ...process.env, EDITOR: "sleep 1000", GIT_CONFIG_GLOBAL: "/dev/null" });
  const git = async (...words: string[]) => {
    try {
      const { stdout, stderr } = await promisify(execFile)("git", [...IDENTITY, ...words], { cwd, env });
      return { succeeded: true, text: stdout + stderr };
    } catch (error) {
      return { succeeded: false, text: String(error) };
    }
  };
  await git("init", "-q", "-b", "main");
  await git("commit", "-q", "--allow-empty", "-m", "First");
  await git("commit", "-q", "--allow-empty", "-m", "Second");
  return { git };
}

const messages = async ({ git }: Repository) => (await git("log", "--format=%s")).text.trim().split("\n");

describe("a command that needs a message", () => {
  it.each([
    ["commit", "--allow-empty"],
    ["tag", "-a", "v1"],
    ["notes", "add"],
  ])("git %s ends and says how to pass one", async (...words) => {
    const made = await repository();
    const { succeeded, text } = await made.git(...words);
    expect(succeeded).toBe(false);
    expect(text).toContain("No editor is available here. Pass the message with -m or -F");
    expect(await messages(made)).toEqual(["Second", "First"]);
    expect((await made.git("tag")).text).toBe("");
  });
});

describe("a command that has a message", () => {
  it("keeps it when it amends or merges", async () => {
    const made = await repository();
    const { git } = made;
    expect((await git("commit", "--amend", "--allow-empty")).succeeded).toBe(true);
    await git("switch", "-qc", "side", "HEAD~1");
    await git("commit", "-q", "--allow-empty", "-m", "Side");
    await git("switch", "-q", "main");
    expect((await git("merge", "--no-ff", "side")).succeeded).toBe(true);
    expect(await messages(made)).toContain("Merge branch 'side'");
  });
});

it("a list of commits that was not given is not guessed, and the rebase ends where it began", async () => {
  const made = await repository();
  const { succeeded, text } = await made.git("rebase", "-i", "--root");
  expect(succeeded).toBe(false);
  expect(text).toContain("Set GIT_SEQUENCE_EDITOR to a command that changes the list of commits");
  expect((await made.git("status")).text).not.toContain("rebase in progress");
  expect(await messages(made)).toEqual(["Second", "First"]);
});

it("other programs get an editor that ends at once", () => {
  expect(commandEnvironment({ EDITOR: "vim", VISUAL: "code --wait" })).toMatchObject({
    EDITOR: "false",
    VISUAL: "false",
  });
});
