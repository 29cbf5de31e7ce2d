/** What a task changed in a real worktree, as it is shown and applied: also what no diff of text shows. */
import { chmodSync, lstatSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { workerChange } from "../../../src/core/agent/subtasks/worker-changes.ts";
import { nodeFileStates } from "../../../src/node/files/disk-file-states.ts";
import { createTerminalHost } from "../../../src/node/terminal-host.ts";
import { git } from "./git-support.ts";
import { place } from "./git-worktrees-support.ts";
import { neverAborted as signal, temporaryFolder } from "./support.ts";

it("says which files become executable or symbolic links, and asks whatever is allowed", async () => {
  const files = { "run.sh": "echo run\n", "a.txt": "one\n", "doc.txt": "doc\n" };
  const { root, environment } = await place(files);
  symlinkSync("a.txt", path.join(root, "link"));
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "Link");
  const host = createTerminalHost({
    policy: undefined,
    ...{ root, environment, dataDir: await temporaryFolder(), assetsDir: await temporaryFolder() },
    log: { info: () => undefined, error: () => undefined },
  });
  const made = await host.worktrees?.create({ folder: root, title: "Work" }, signal);
  if (!made) throw new Error("the host has no worktrees");
  const at = (name: string) => path.join(made.worktree.path, name);
  chmodSync(at("run.sh"), 0o755);
  writeFileSync(at("new.sh"), "echo new\n");
  chmodSync(at("new.sh"), 0o755);
  rmSync(at("doc.txt"));
  symlinkSync("a.txt", at("doc.txt"));
  rmSync(at("link"));
  symlinkSync("run.sh", at("link"));
  symlinkSync("a.txt", at("other"));
  writeFileSync(at("a.txt"), "two\n");
  const wrote: string[] = [];
  const deps = { host, files: nodeFileStates, wrote: (file: string) => void wrote.push(file) };
  const change = await workerChange(deps, made.worktree, signal);
  if (change.type !== "change") throw new Error(JSON.stringify(change));
  const { view, alwaysAsks, run } = change.invocation;
  expect(alwaysAsks).toBe(true);
  expect(view?.files?.map(({ path: name, kind, becomes }) => [name, kind, becomes])).toEqual([
    ["a.txt", "update", undefined],
    ["doc.txt", "update", "link"],
    ["link", "update", "link"],
    ["new.sh", "add", "executable"],
    ["other", "add", "link"],
    ["run.sh", "update", "executable"],
  ]);
  const never = () => Promise.reject(new Error("nothing is asked"));
  await run({
    ...{ callId: "w", signal, isRestored: false, onOutput: () => undefined },
    ask: never,
    propose: never,
  });
  const here = (name: string) => path.join(root, name);
  expect(["new.sh", "run.sh", "a.txt"].map((name) => statSync(here(name)).mode & 0o100)).toEqual([64, 64, 0]);
  expect(["doc.txt", "link", "other"].map((name) => readlinkSync(here(name)))).toEqual([
    "a.txt",
    "run.sh",
    "a.txt",
  ]);
  expect(lstatSync(here("link")).isSymbolicLink()).toBe(true);
  expect(wrote).toHaveLength(6);
});
