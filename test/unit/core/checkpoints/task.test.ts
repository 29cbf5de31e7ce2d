/** A task on a real folder: its rows of checkpoints, live and after a restart, and the ways back. */
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Project } from "../../../../src/core/agent/project.ts";
import type { View } from "../../../../src/core/agent/view.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { createAssets } from "../../../../src/node/assets.ts";
import { nodeFileStates } from "../../../../src/node/files/disk-file-states.ts";
import { createCheckpoints } from "../../../../src/node/store/project-checkpoints.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { rowsOf } from "../../../../src/shared/view/reducer.ts";
import { type ScriptPart, type ScriptTurn, startModelServer } from "../../../model-server/server.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { createNodeHost } from "../../../support/node-host.ts";
import { fingerprint, repository, write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";
import { read } from "./support.ts";

const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));

const runs = (command: string): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: false },
});

async function prepared(root: string, answers: ScriptPart[][] | ScriptTurn[], otherRoots: string[] = []) {
  const turns = answers.map((answer, i) =>
    Array.isArray(answer) ? { match: { request: i + 1 }, answer } : answer,
  );
  const server = await startModelServer({ script: { turns } });
  onTestFinished(() => server.close());
  const dataDir = await temporaryFolder();
  const problems: string[] = [];
  const log = {
    info: () => {},
    error: (text: string, cause?: unknown) => void problems.push(`${text}: ${cause}`),
  };
  const settings = settingsSchema.parse({
    provider: { baseUrl: server.url, model: "scripted", protocol: "native" },
    approval: { read: true, edit: true, commandAll: true },
  });
  const start = async () => {
    const { host, storage } = createNodeHost({ root, dataDir, assetsDir: wasm, shell: "/bin/sh", log });
    host.assets = {
      read: (name) => (name.startsWith("sql") ? createAssets(wasm) : memoryHost().host.assets).read(name),
    };
    const store = await openSessionStore(storage, host.assets, host.clock, log);
    const checkpoints = createCheckpoints({
      ...{ storage, dataDir, files: nodeFileStates, environment: process.env, clock: host.clock, log },
      roots: () => [root, ...otherRoots],
      hasBackground: () => host.shell.background().length > 0,
      settings: () => settings.checkpoints,
    });
    const project = new Project({
      host,
      store,
      checkpoints,
      settings: () => settings,
      apiKey: async () => "key",
      profiles: new ModelProfiles(),
    });
    const { view } = project;
    await project.restore();
    const stop = async () => {
      await project.dispose();
      await checkpoints.dispose();
      await store.close();
      host.shell.dispose();
    };
    return { project, view, storage, stop };
  };
  return { start, problems, server };
}

const rows = (view: View) =>
  rowsOf(view.active.chatView)
    .filter(({ kind }) => kind !== "notice")
    .map((row) => {
      if (row.kind === "checkpoint") return `${row.checkpoint.kind} ${row.checkpoint.files}`;
      if (row.kind !== "call") return row.kind;
      const { checkpoint } = row;
      return `${row.tool}${checkpoint ? ` ${checkpoint.files}${checkpoint.undone ? " undone" : ""}` : ""}`;
    });

it("shows what each step changed, goes back and forth, and remembers it", async () => {
  const root = await repository({ "a.txt": "a\n", "b.txt": "b\n" });
  const git = fingerprint(path.join(root, ".git"));
  const { start, problems } = await prepared(root, [
    [{ tool: "write_to_file", params: { path: "new/n.txt", content: "n\n" } }],
    [
      {
        tool: "execute_command",
        params: { command: "echo c > a.txt; rm b.txt; echo d > d.txt", requires_approval: false },
      },
    ],
    [{ tool: "attempt_completion", params: { result: "Done." } }],
    [{ tool: "write_to_file", params: { path: "a.txt", content: "second\n" } }],
    [{ tool: "attempt_completion", params: { result: "Done again." } }],
  ]);
  const first = await start();
  await first.view.send("do it");
  await first.view.active.idle;
  await first.view.active.checkpoints.settled();
  const afterFirst = ["user", "message 4", "write_to_file 1", "execute_command 3", "attempt_completion"];
  expect(rows(first.view)).toEqual(afterFirst);
  await first.view.send("and more");
  await first.view.active.idle;
  await first.view.active.checkpoints.settled();
  const afterBoth = [...afterFirst, "user", "message 1", "write_to_file 1", "attempt_completion"];
  expect(rows(first.view)).toEqual(afterBoth);

  const marks = rowsOf(first.view.active.chatView).flatMap((row) =>
    row.kind === "checkpoint" ? [row.checkpoint.id] : [],
  );
  const done = await first.view.active.checkpoints.restore(
    await first.view.active.checkpoints.plan(marks[1] ?? ""),
  );
  expect(read(root, "a.txt")).toBe("c\n");
  const restored = [
    ...afterFirst,
    "user",
    "message 0",
    "write_to_file 1 undone",
    "attempt_completion",
    "restore 1",
  ];
  expect(rows(first.view)).toEqual(restored);
  await first.stop();

  const second = await start();
  await second.view.active.checkpoints.settled();
  expect(rows(second.view)).toEqual(restored);
  await second.view.active.checkpoints.restore(await second.view.active.checkpoints.plan(done.id ?? ""));
  expect(read(root, "a.txt")).toBe("second\n");
  expect(rows(second.view).slice(0, -2)).toEqual(afterBoth);
  write(root, { "d.txt": "the user's\n" });
  const plan = await second.view.active.checkpoints.plan(marks[0] ?? "");
  expect(
    plan.files.filter(({ changedSince }) => changedSince).map(({ path: file }) => path.basename(file)),
  ).toEqual(["d.txt"]);
  await second.view.active.checkpoints.restore(plan);
  expect(["a.txt", "b.txt", "d.txt", "new/n.txt"].map((name) => read(root, name))).toEqual([
    "a\n",
    "b\n",
    undefined,
    undefined,
  ]);

  // Edited and sent anew: the new session has the checkpoints of what it begins with.
  await second.view.fork(marks[1] ?? "");
  await second.view.active.checkpoints.settled();
  expect(rows(second.view)).toEqual(afterFirst);
  const id = second.view.active.chatView.session?.id ?? "";
  await second.view.newTask();
  await second.project.library.delete(id);
  await second.stop();
  expect((await second.storage.list("checkpoints")).filter((name) => name.includes(id))).toEqual([]);
  expect(fingerprint(path.join(root, ".git"))).toBe(git);
  expect(problems.join("\n")).toBe("");
});

it("a command's changes in every folder of the workspace, and which are not covered", async () => {
  const root = await repository({ "a.txt": "a\n" });
  const second = await repository({ "b.txt": "b\n" });
  const plain = await temporaryFolder();
  write(plain, { "c.txt": "c\n" });
  const command = `echo 1 > a.txt; echo 2 > ${second}/b.txt; echo 3 > ${plain}/c.txt`;
  const { start, problems } = await prepared(
    root,
    [
      [{ tool: "execute_command", params: { command, requires_approval: false } }],
      [{ tool: "attempt_completion", params: { result: "Done." } }],
    ],
    [second, plain],
  );
  const { view, stop } = await start();
  await view.send("do it");
  await view.active.idle;
  const { checkpoints } = view.active;
  await checkpoints.settled();
  const mark = checkpoints.views().find(({ kind }) => kind === "message");
  // Without git, what the command line says that it overwrites is kept, and nothing else.
  expect(mark).toMatchObject({ files: 3, uncovered: "some-folders" });
  await checkpoints.restore(await checkpoints.plan(mark?.id ?? ""));
  expect([read(root, "a.txt"), read(second, "b.txt"), read(plain, "c.txt")]).toEqual(["a\n", "b\n", "c\n"]);
  await stop();
  expect(problems.join("\n")).toBe("");
});

it("an edit of a file that another task's command changed is refused, with the name of that task", async () => {
  const root = await repository({ "a.txt": "a\n", "b.txt": "b\n" });
  const edit = { path: "a.txt", diff: "------- SEARCH\na\n=======\nc\n+++++++ REPLACE" };
  const turns: ScriptTurn[] = [
    { match: { firstUser: "Format all" }, answer: [runs("printf 'more\\n' >> a.txt")] },
    {
      match: { firstUser: "Change a", request: 1 },
      answer: [{ tool: "read_file", params: { path: "a.txt" } }],
    },
    {
      match: { firstUser: "Change a", request: 2 },
      answer: [{ hold: "read" }, { tool: "replace_in_file", params: edit }],
    },
    { times: true, answer: [{ tool: "attempt_completion", params: { result: "Done." } }] },
  ];
  const { start, server } = await prepared(root, turns);
  const { project, view, stop } = await start();
  const other = project.newView();
  await other.send("Change a");
  await server.waitForHold("read");
  await view.send("Format all");
  await view.active.idle;
  await view.active.checkpoints.settled();
  server.release("read");
  await other.active.idle;
  const replies = JSON.stringify(server.chat(server.requests.length).messages);
  expect(replies).toContain("a.txt was changed by the other task “Format all” since you read it.");
  expect(read(root, "a.txt")).toBe("a\nmore\n");
  await stop();
});
