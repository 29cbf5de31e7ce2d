/** A commit message in the real Source Control view of the built-in Git extension. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import * as vscode from "vscode";
import type { MessageListener, WrittenMessage } from "../../src/core/agent/extras/commit-message-request.ts";
import { emptyTotals } from "../../src/shared/totals.ts";
import { type GitRepository, gitRepositories } from "../../src/vscode/editor/git-extension.ts";
import { SourceControlMessages } from "../../src/vscode/editor/source-control-message.ts";
import { Kit, untilSeen } from "./support/kit.ts";

const WRITTEN: WrittenMessage = { message: "feat: feed the cat", spent: { ...emptyTotals, cost: 0.01 } };

describe("A commit message in Source Control", () => {
  let kit: Kit;
  /** Two repositories. */
  let cats: GitRepository;
  let dogs: GitRepository;
  let asked: { root: string; hint: string }[];
  let wasAsked: Promise<void>;
  let heard: () => void;
  let failures: unknown[];
  let finish: (written: WrittenMessage) => void;
  let fail: (error: unknown) => void;
  let listener: MessageListener | undefined;
  let messages: SourceControlMessages;

  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=p", "-c", "user.email=p@example.org", ...args], {
      cwd: kit.path(folder),
      encoding: "utf8",
    }).trim();

  const opened = async (folder: string): Promise<GitRepository> => {
    await kit.file(`${folder}/a.txt`, "a\n");
    git(folder, "init", "-q");
    git(folder, "add", ".");
    git(folder, "commit", "-qm", "first");
    await kit.file(`${folder}/a.txt`, "b\n");
    await vscode.commands.executeCommand("git.openRepository", kit.path(folder));
    const all = await gitRepositories();
    const find = () => all?.getRepository(kit.uri(folder)) ?? undefined;
    await untilSeen(`the repository ${folder} is open`, () => find() !== undefined);
    const found = find();
    assert.ok(found);
    return found;
  };

  before(async () => {
    assert.equal(await gitRepositories(), undefined, "Git is off in the other suites");
    await vscode.workspace.getConfiguration("git").update("enabled", true, vscode.ConfigurationTarget.Global);
    const extension = vscode.extensions.getExtension<{ enabled: boolean }>("vscode.git");
    await untilSeen("Git is on", () => extension?.exports.enabled === true);
    kit = new Kit();
    cats = await opened("cats");
    dogs = await opened("dogs");
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration("git")
      .update("enabled", undefined, vscode.ConfigurationTarget.Global);
    await rm(kit.folder, { recursive: true, force: true });
    await kit.dispose();
  });
  beforeEach(() => {
    asked = [];
    wasAsked = new Promise((resolve) => {
      heard = resolve;
    });
    failures = [];
    for (const each of [cats, dogs]) each.inputBox.value = "";
    messages = new SourceControlMessages({
      repositoryMessages: {
        write: (state, given) => {
          asked.push(state);
          listener = given;
          heard();
          return new Promise((resolve, reject) => {
            finish = resolve;
            fail = reject;
            given.signal.addEventListener("abort", () => reject(new Error("aborted")));
          });
        },
      },
      failureText: (error) => {
        failures.push(error);
        return String(error);
      },
    });
  });

  /** Begins to write and returns without waiting for the end. */
  const begin = async (target: unknown) => {
    const writing = messages.write(target);
    await wasAsked;
    return { writing };
  };

  it("streams into the box of the repository whose button was pressed, and commits nothing", async () => {
    dogs.inputBox.value = "about dogs";
    const head = git("dogs", "rev-parse", "HEAD");
    const { writing } = await begin({ rootUri: dogs.rootUri });
    assert.deepEqual(asked, [{ root: dogs.rootUri.fsPath, hint: "about dogs" }]);
    listener?.onText("```\nfeat: feed");
    assert.equal(dogs.inputBox.value, "```\nfeat: feed");
    listener?.onText("```\nfeat: feed the cat\n```");
    assert.equal(dogs.inputBox.value, "feat: feed the cat");
    // A second press while it is written does nothing.
    await messages.write({ rootUri: dogs.rootUri });
    assert.equal(asked.length, 1);
    finish(WRITTEN);
    await writing;
    assert.equal(dogs.inputBox.value, "feat: feed the cat");
    assert.equal(cats.inputBox.value, "");
    assert.equal(git("dogs", "rev-parse", "HEAD"), head);
    assert.equal(git("dogs", "diff", "--cached", "--name-only"), "");
    assert.deepEqual(failures, []);
  });

  it("leaves what the user types meanwhile, and stops", async () => {
    const { writing } = await begin({ rootUri: cats.rootUri });
    listener?.onText("feat: feed");
    cats.inputBox.value = "my own words";
    listener?.onText("feat: feed the cat");
    await writing;
    assert.equal(listener?.signal.aborted, true);
    assert.equal(cats.inputBox.value, "my own words");
    assert.deepEqual(failures, []);
  });

  it("that fails brings back the text before, and tells why", async () => {
    cats.inputBox.value = "draft";
    const { writing } = await begin({ rootUri: cats.rootUri });
    listener?.onText("feat: feed");
    fail(new Error("no answer"));
    await writing;
    assert.equal(cats.inputBox.value, "draft");
    assert.equal(failures.length, 1);
  });

  it("without a button is for the repository of the active editor", async () => {
    await vscode.window.showTextDocument(kit.uri("dogs/a.txt"));
    const { writing } = await begin(undefined);
    assert.deepEqual(asked, [{ root: dogs.rootUri.fsPath, hint: "" }]);
    finish(WRITTEN);
    await writing;
    assert.equal(dogs.inputBox.value, WRITTEN.message);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("is not asked for where no repository is open", async () => {
    const none = new SourceControlMessages({
      repositoryMessages: { write: () => Promise.reject(new Error("asked")) },
      failureText: String,
      repositories: async () => undefined,
    });
    await none.write(undefined);
    assert.deepEqual(asked, []);
  });
});
