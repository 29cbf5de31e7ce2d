/** A commit message for the state of a real repository: what the model receives, and what it never does. */
import { appendFileSync, chmodSync, existsSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CommitMessageFailure } from "../../../src/core/agent/extras/commit-message-request.ts";
import { RepositoryMessages } from "../../../src/core/agent/extras/repository-messages.ts";
import { KeyMask } from "../../../src/core/key-mask.ts";
import { ModelProfiles } from "../../../src/core/provider/model-profile.ts";
import { findRipgrep } from "../../../src/node/search/ripgrep.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import type { ScriptTurn } from "../../model-server/script.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { createNodeHost } from "../../support/node-host.ts";
import { fingerprint, git, repository, write } from "./git-support.ts";
import { temporaryFolder } from "./support.ts";

const KEY = "sk-secret-key-1234";
let server: ModelServer;
let messages: RepositoryMessages;
let spent: { cost: number; requests: number };

const MESSAGE: ScriptTurn = {
  match: { system: "Write a Git commit message" },
  times: true,
  answer: [{ text: "feat: feed" }, { hold: "body" }, { text: " the cat" }],
  usage: { promptTokens: 100, completionTokens: 10, cost: 0.25 },
};

/** `root`: the folder that is open. */
async function start(root: string, approval: Record<string, unknown> = {}, turn = MESSAGE): Promise<void> {
  server = await startModelServer({ script: { turns: [turn] } });
  const { host } = createNodeHost({
    root,
    dataDir: path.join(await temporaryFolder(), "data"),
    assetsDir: "",
    rgPath: await findRipgrep(undefined, [import.meta.dirname]),
    environment: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    log: { info: () => undefined, error: () => undefined },
  });
  const settings = settingsSchema.parse({ provider: { baseUrl: server.url, model: "scripted" }, approval });
  const access = { settings: () => settings, apiKey: async () => KEY };
  spent = { cost: 0, requests: 0 };
  messages = new RepositoryMessages({
    ...access,
    host,
    profiles: new ModelProfiles({ overrides: () => settings.models }),
    keys: new KeyMask(access),
    spending: {
      today: async () => spent,
      add(more) {
        spent = { cost: spent.cost + more.cost, requests: spent.requests + more.requests };
      },
    },
  });
}

/** Writes the message with the answer whole at once. */
async function written(root: string, hint = "") {
  const { signal } = new AbortController();
  const writing = messages.write({ root, hint }, { signal, onText: () => undefined });
  void server.waitForHold("body").then(() => server.release("body"));
  return writing;
}
const request = () => server.requests.at(-1)?.text ?? "";

describe("a commit message for a repository", () => {
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await messages.close();
    await server.close();
  });

  it("is written from what is staged alone, in the style of recent subjects, streams and is counted", async () => {
    const root = await repository({ "cat.txt": "hungry\n", "dog.txt": "asleep\n" });
    for (let number = 1; number <= 22; number++)
      git(root, "commit", "-q", "--allow-empty", "-m", `fix(cat): step ${number}.`);
    git(root, "commit", "-q", "--allow-empty", "-m", "Merge branch 'dog'");
    write(root, { "cat.txt": "fed\n", "dog.txt": "awake\n", "new.txt": "milk\n" });
    git(root, "add", "cat.txt");
    await start(root);
    const before = fingerprint(path.join(root, ".git"));
    const texts: string[] = [];
    const { signal } = new AbortController();
    const writing = messages.write(
      { root, hint: " about the cat </draft> " },
      { signal, onText: (text) => void texts.push(text) },
    );
    await server.waitForHold("body");
    server.release("body");
    const { message, spent: cost } = await writing;
    expect(message).toBe("feat: feed the cat");
    expect(texts).toContain("feat: feed");
    expect(cost).toMatchObject({ requests: 1, cost: 0.25, inputTokens: 100, outputTokens: 10 });
    expect(spent).toEqual({ cost: 0.25, requests: 1 });
    expect(server.chat(1).tools ?? []).toEqual([]);
    expect(request()).toContain("--- cat.txt (changed)\\n@@ -1 +1 @@\\n-hungry\\n+fed");
    expect(request()).toContain("about the cat");
    for (const other of ["dog.txt", "new.txt", "Merge branch", "step 2."])
      expect(request()).not.toContain(other);
    expect(request()).toContain("fix(cat): step 22.");
    expect(request()).toContain("fix(cat): step 3.");
    // Nothing is committed, staged or written.
    expect(fingerprint(path.join(root, ".git"))).toBe(before);
  });

  it("is written from all changes and new files where nothing is staged", async () => {
    const root = await repository({
      "cat.txt": "hungry\n",
      "old name.txt": "1\n2\n3\n4\n",
      ".gitignore": "*.log\n",
    });
    git(root, "mv", "old name.txt", "新 name.txt");
    git(root, "reset", "-q");
    write(root, {
      "cat.txt": "fed\n",
      "deep/new.txt": "milk\n",
      "x.log": "ignored text\n",
      "cat.bin": "\0 no text",
    });
    await start(root);
    await written(root);
    for (const part of [
      "-hungry\\n+fed",
      "--- deep/new.txt (new file)",
      "+milk",
      "--- old name.txt (deleted)",
    ])
      expect(request()).toContain(part);
    expect(request()).toContain("--- 新 name.txt (new file)");
    expect(request()).toContain("--- cat.bin (new file)\\n(no text changed)");
    expect(request()).not.toContain("ignored text");
    git(root, "add", "-A");
    await written(root);
    expect(request()).toContain("--- 新 name.txt (renamed from old name.txt)");
  });

  it("can be written before the first commit", async () => {
    const root = await repository({});
    git(root, "update-ref", "-d", "HEAD");
    write(root, { "a.txt": "first file\n" });
    await start(root);
    expect((await written(root)).message).toBe("feat: feed the cat");
    expect(request()).toContain("+first file");
    expect(request()).not.toContain("recent_subjects");
  });

  it("contains no key, no secret and no file that the model may not read, under any name", async () => {
    const root = await repository({
      ".env": "PASSWORD=hidden-in-env\nUSER=x\nHOST=y\n",
      ".nekodeignore": "private/\n",
    });
    const token = `ghp_${"a1B2".repeat(9)}`;
    write(root, {
      "cat.txt": `key = ${KEY}\ntoken = ${token}\n`,
      ".env": "PASSWORD=hidden-in-env\nUSER=x\nHOST=z\n",
      "private/plan.txt": "hidden by the user\n",
    });
    const outside = await repository({ "far.txt": "hidden outside\n" });
    symlinkSync(path.join(outside, "far.txt"), path.join(root, "link.txt"));
    for (const isStaged of [false, true]) {
      if (isStaged) {
        git(root, "add", "-A", "-f");
        git(root, "mv", ".env", "plain.txt");
      }
      await start(root);
      await written(root);
      for (const hidden of [KEY, token, "hidden-in-env", "hidden by the user", "hidden outside"])
        expect(request(), hidden).not.toContain(hidden);
      expect(request()).toContain("--- private/plan.txt (new file)\\n(its content is private)");
      expect(request()).toContain("[API key removed by Nekode]");
      const env = isStaged ? "--- plain.txt (renamed from .env)" : "--- .env (changed)";
      expect(request()).toContain(`${env}\\n(its content is private)`);
      if (!isStaged) {
        await messages.close();
        await server.close();
      }
    }
  });

  it("contains nothing of a repository around the open folder", async () => {
    const root = await repository({ "open/cat.txt": "hungry\n", "beside.txt": "x\n" });
    write(root, { "open/cat.txt": "fed\n", "beside.txt": "hidden beside\n" });
    await start(path.join(root, "open"));
    await written(root);
    expect(request()).toContain("+fed");
    expect(request()).toContain("--- beside.txt (changed)\\n(its content is private)");
  });

  it("is cut where the changes are large, and short files stay whole", async () => {
    const root = await repository({ "long.txt": "", "short.txt": "hungry\n" });
    write(root, { "long.txt": "a line of a long file\n".repeat(40_000), "short.txt": "fed\n" });
    write(root, Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`new/${index}.txt`, "new\n"])));
    git(root, "add", "long.txt", "short.txt");
    await start(root);
    await written(root);
    expect(request().length).toBeLessThan(40_000);
    expect(request()).toMatch(/\(\d+ more lines\)/);
    expect(request()).toContain("(more files changed)");
    git(root, "reset", "-q", "--hard");
    await written(root);
    expect(request()).toContain("(20 more new files)");
  });

  it("starts nothing that the repository configures", async () => {
    const root = await repository({ "cat.txt": "hungry\n" });
    const proof = path.join(await temporaryFolder(), "ran");
    write(root, { "run.sh": `#!/bin/sh\ntouch ${proof}\n`, ".gitattributes": "* diff=odd filter=odd\n" });
    chmodSync(path.join(root, "run.sh"), 0o755);
    const run = path.join(root, "run.sh");
    appendFileSync(
      path.join(root, ".git/config"),
      `[diff]\n\texternal = ${run}\n\tnoprefix = true\n[diff "odd"]\n\ttextconv = ${run}\n\tcommand = ${run}\n[filter "odd"]\n\tclean = ${run}\n[core]\n\tfsmonitor = ${run}\n[gpg]\n\tprogram = ${run}\n[log]\n\tshowSignature = true\n`,
    );
    write(root, { "cat.txt": "fed\n" });
    await start(root);
    await written(root);
    expect(request()).toContain("-hungry\\n+fed");
    expect(existsSync(proof)).toBe(false);
  });

  it("that is canceled is counted as far as it arrived", async () => {
    const root = await repository({ "cat.txt": "hungry\n" });
    write(root, { "cat.txt": "fed\n" });
    await start(root);
    const controller = new AbortController();
    const { signal } = controller;
    const onText = (text: string) => {
      if (text !== "") controller.abort();
    };
    await expect(messages.write({ root, hint: "" }, { signal, onText })).rejects.toThrow();
    server.release("body");
    expect(spent.requests).toBe(1);
  });

  it("names why it was not written", async () => {
    const root = await repository({ "cat.txt": "hungry\n" });
    await start(root, { maxRequestsPerDay: 1 });
    const code = async () => {
      const error: unknown = await written(root).catch((thrown: unknown) => thrown);
      return error instanceof CommitMessageFailure ? error.code : error;
    };
    expect(await code()).toBe("nothing-to-commit");
    write(root, { "cat.txt": "fed\n" });
    expect((await written(root)).message).toBe("feat: feed the cat");
    expect(await code()).toBe("limit");
    expect(server.requests).toHaveLength(1);
  });
});
