/** What commands change, in a repository and elsewhere; and a restore that is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, renameSync, statSync, unlinkSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { rounds, seedOf } from "../../../support/random.ts";
import { fingerprint, git, repository, write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";
import { kept, read } from "./support.ts";

const seed = seedOf("commands");
const kills = rounds(1, 100);

describe("a command", () => {
  it("in a repository is taken back as a whole; untracked and ignored files stay", async () => {
    const root = await repository({ "a.txt": "a", "b.txt": "b", "c.txt": "c", ".gitignore": "ignored\n" });
    write(root, { untracked: "mine", ignored: "mine", "a.txt": "mine, not committed" });
    git(root, "stash");
    git(root, "stash", "apply", "-q");
    const k = await kept(root);
    k.checkpoints.mark("message");
    const before = fingerprint(path.join(root, ".git"));
    await k.call("command", [], () => {
      write(root, { "a.txt": "command", "made/x.txt": "x", ignored: "built" });
      unlinkSync(path.join(root, "b.txt"));
      renameSync(path.join(root, "c.txt"), path.join(root, "d.txt"));
    });
    const plan = await k.checkpoints.plan("message");
    expect(plan.files.map(({ path: file }) => path.relative(root, file))).toEqual([
      "a.txt",
      "b.txt",
      "c.txt",
      "d.txt",
      "made/x.txt",
    ]);
    expect(k.views.find(({ id }) => id === "command")).toMatchObject({ kind: "call", files: 5 });
    await k.checkpoints.restore(plan);
    expect(["a.txt", "b.txt", "c.txt", "d.txt", "made/x.txt"].map((name) => read(root, name))).toEqual([
      "mine, not committed",
      "b",
      "c",
      undefined,
      undefined,
    ]);
    expect([read(root, "untracked"), read(root, "ignored")]).toEqual(["mine", "built"]);
    expect(k.problems).toEqual([]);
    expect(fingerprint(path.join(root, ".git"))).toBe(before);
    expect(git(root, "stash", "list")).not.toBe("");
  });

  it("is taken back with the folders that it made, where nothing is in them", async () => {
    const files = { "src/a/x.txt": "x", "src/y.txt": "y", keep: "", ".gitignore": "*.log\n" };
    const root = await repository(files);
    for (const folder of ["was-empty", "was-ignored"]) mkdirSync(path.join(root, folder));
    write(root, { "was-ignored/own.log": "mine" });
    // Older than the disk's clock is coarse.
    const old = path.join(root, "was-empty");
    await expect.poll(() => Date.now() - statSync(old).birthtimeMs).toBeGreaterThan(50);
    const k = await kept(root);
    k.checkpoints.mark("message");
    await k.call("command", [], () => {
      write(root, {
        "new/deep/er.txt": "1",
        "new/and.txt": "2",
        "was-empty/in.txt": "3",
        "was-ignored/in.txt": "4",
      });
      write(root, { "built/out.txt": "5", "built/person.log": "6" });
      renameSync(path.join(root, "src"), path.join(root, "lib"));
    });
    const result = await k.checkpoints.restore(await k.checkpoints.plan("message"));
    expect(result.failed).toEqual([]);
    expect(readdirSync(root).sort()).toEqual([
      ...[".git", ".gitignore", "built", "keep", "src", "was-empty", "was-ignored"],
    ]);
    expect(readdirSync(path.join(root, "built"))).toEqual(["person.log"]);
    expect([read(root, "src/a/x.txt"), read(root, "src/y.txt")]).toEqual(["x", "y"]);
    // And forth again.
    await k.checkpoints.restore(await k.checkpoints.planUndo(result.id ?? ""));
    expect([read(root, "lib/a/x.txt"), read(root, "new/deep/er.txt")]).toEqual(["x", "1"]);
    expect(k.problems).toEqual([]);
  });

  it("that goes on in the background: what it changes later is kept too, and put back only when asked", async () => {
    const root = await repository({ a: "a", b: "b", c: "c" });
    const k = await kept(root);
    k.checkpoints.mark("first");
    await k.call("server", [], () => {
      write(root, { a: "at once" });
      k.background.runs = true;
    });
    await k.checkpoints.settled();
    write(root, { b: "later" });
    k.checkpoints.mark("second");
    await k.call("edit", ["c"], () => write(root, { c: "agent" }));
    write(root, { a: "later too" });
    k.background.runs = false;
    const second = await k.checkpoints.plan("second");
    const names = (plan: typeof second) =>
      plan.files.map(({ path: file, changedSince }) => `${path.relative(root, file)} ${changedSince}`);
    // The user may have changed it as well: it is asked for.
    expect(names(second)).toEqual(["a true", "c false"]);
    // It has ended: from now on what changes is the user's.
    write(root, { b: "person" });
    const first = await k.checkpoints.plan("first");
    expect(names(first)).toEqual(["a true", "b true", "c false"]);
    await k.checkpoints.restore(first);
    expect([read(root, "a"), read(root, "b"), read(root, "c")]).toEqual(["a", "b", "c"]);
    const again = (await k.restart()).checkpoints;
    expect((await again.plan("second")).files.map(({ path: file }) => path.relative(root, file))).toContain(
      "b",
    );
    expect(k.problems).toEqual([]);
  });

  it("does not get what the user or the agent changed before it or after it", async () => {
    const root = await repository({ a: "a", b: "b", c: "c", d: "d" });
    const k = await kept(root);
    k.checkpoints.mark("message");
    write(root, { a: "person" });
    await k.call("edit", ["b"], () => write(root, { b: "agent" }));
    write(root, { a: "person again" });
    await k.call("command", [], () => write(root, { c: "command" }));
    // The next change waits until what the command did is known.
    await k.call("edit-2", ["d"], () => write(root, { d: "agent" }));
    const changed = async (id: string) =>
      (await k.checkpoints.changes(id, true)).map(({ path: file }) => path.basename(file));
    expect(await changed("command")).toEqual(["c"]);
    expect(await changed("edit-2")).toEqual(["d"]);
    await k.checkpoints.restore(await k.checkpoints.plan("message"));
    expect(["a", "b", "c", "d"].map((name) => read(root, name))).toEqual(["person again", "b", "c", "d"]);
  });

  it("gives what changed, as bytes, for a comparison", async () => {
    const root = await repository({ a: "a" });
    const k = await kept(root);
    k.checkpoints.mark("message");
    await k.call("one", [], () => write(root, { a: "b" }));
    await k.call("two", [], () => write(root, { a: "c", n: "new" }));
    const text = (content: { bytes: Uint8Array } | null | undefined) =>
      content && Buffer.from(content.bytes).toString();
    const shown = async (id: string, only: boolean) =>
      (await k.checkpoints.changes(id, only)).map((file) => [
        path.basename(file.path),
        text(file.before),
        ...("after" in file ? [text(file.after)] : []),
      ]);
    expect(await shown("one", true)).toEqual([["a", "a", "b"]]);
    expect(await shown("two", true)).toEqual([
      ["a", "b", "c"],
      ["n", null, "new"],
    ]);
    expect(await shown("message", false)).toEqual([
      ["a", "a"],
      ["n", null],
    ]);
  });

  it("says how many files are too large to be kept, and leaves those alone", async () => {
    const root = await repository({ a: "a", b: "b" });
    const k = await kept(root, undefined, 100);
    k.checkpoints.mark("message");
    const large = "x".repeat(101);
    await k.call("command", [], () => write(root, { a: large, b: "changed", c: large }));
    const plan = await k.checkpoints.plan("message");
    expect(plan.files.map(({ path: file }) => path.basename(file))).toEqual(["b"]);
    expect(k.views.find(({ id }) => id === "command")).toMatchObject({ files: 1, left: 2 });
    await k.checkpoints.restore(plan);
    expect([read(root, "a"), read(root, "b"), read(root, "c")]).toEqual([large, "b", large]);
  });

  it("elsewhere is said not to be covered", async () => {
    const root = await temporaryFolder();
    write(root, { a: "a" });
    const k = await kept(root);
    k.checkpoints.mark("message");
    await k.call("command", [], () => write(root, { a: "b" }));
    await k.checkpoints.settled();
    expect(k.views).toEqual([
      { id: "message", kind: "message", at: "message", files: 0, uncovered: "no-repository" },
    ]);
    expect((await k.checkpoints.plan("message")).files).toEqual([]);
  });

  it("that a crash interrupted is no obstacle", async () => {
    const root = await repository({ a: "a" });
    const k = await kept(root);
    k.checkpoints.mark("message");
    await k.checkpoints.begin({ callId: "command", paths: [], anything: true });
    write(root, { a: "b" });
    const again = await k.restart();
    expect((await again.checkpoints.plan("message")).files).toEqual([]);
    await again.call("edit", ["a"], () => write(root, { a: "c" }));
    await again.checkpoints.restore(await again.checkpoints.plan("message"));
    expect(read(root, "a")).toBe("b");
  });
});

describe("a restore that is killed", () => {
  it("leaves each file as before it or as after it, and can be gone on with", async () => {
    const bundle = await build({
      entryPoints: [path.join(import.meta.dirname, "restorer.ts")],
      bundle: true,
      platform: "node",
      format: "cjs",
      write: false,
      logLevel: "error",
    });
    const program = bundle.outputFiles[0]?.text ?? "";
    const count = rounds(30, 120);
    const names = Array.from({ length: count }, (_, i) => `d${i % 7}/f${i}`);
    for (let round = 0; round < kills; round++) {
      const root = await temporaryFolder();
      const text = (i: number, what: string) => `${what} ${i} ${"x".repeat((i * 997) % 5_000)}`;
      write(root, Object.fromEntries(names.map((name, i) => [name, text(i, "before")])));
      const k = await kept(root);
      k.checkpoints.mark("message");
      await k.call("edit", [...names, "extra"], () => {
        write(root, Object.fromEntries(names.map((name, i) => [name, text(i, "after")])));
        write(root, { extra: "made" });
      });
      await k.checkpoints.settled();
      const child = spawn(process.execPath, ["-", root, k.dataDir], { stdio: ["pipe", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      child.stdin.end(program);
      // Killed after so many files; the rest of them is under way then.
      const stopAt = 1 + ((seed + round * 37) % (count - 20));
      let put = 0;
      for await (const _ of createInterface({ input: child.stdout })) {
        put += 1;
        if (put === stopAt) child.kill("SIGKILL");
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      const states = names.map((name, i) => {
        const found = read(root, name);
        return found === text(i, "before")
          ? "before"
          : found === text(i, "after")
            ? "after"
            : `torn: ${found}`;
      });
      const wrong = states.filter((state) => state !== "before" && state !== "after");
      expect(wrong, `seed ${seed}, round ${round}`).toEqual([]);
      expect(states.filter((state) => state === "before").length).toBeGreaterThanOrEqual(stopAt - 1);

      const again = await k.restart();
      const plan = await again.checkpoints.plan("message");
      expect(plan.files.filter(({ changedSince }) => changedSince)).toEqual([]);
      expect((await again.checkpoints.restore(plan)).failed).toEqual([]);
      expect(names.every((name, i) => read(root, name) === text(i, "before"))).toBe(true);
      expect(read(root, "extra")).toBeUndefined();
    }
  });
});
