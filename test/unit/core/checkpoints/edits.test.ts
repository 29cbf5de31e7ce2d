/** The agent's own writes: taken back, brought again, never over what the user did since. */
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CheckpointError } from "../../../../src/core/checkpoints/checkpoints.ts";
import { write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";
import { kept, read } from "./support.ts";

const bytes = Buffer.from([0, 255, 13, 10, 0x82, 0xa0, 10]);

/** A message, then a file made, one changed, one deleted, one moved. */
async function scene() {
  const root = await temporaryFolder();
  write(root, { "changed.bin": bytes, "deleted.txt": "deleted", "moved.txt": "moved", "other.txt": "other" });
  const k = await kept(root);
  k.checkpoints.mark("message");
  await k.call("create", ["new/deep.txt"], () => write(root, { "new/deep.txt": "new" }));
  await k.call("change", ["changed.bin"], () => write(root, { "changed.bin": "text" }));
  await k.call("delete", ["deleted.txt"], () => unlinkSync(path.join(root, "deleted.txt")));
  await k.call("move", ["moved.txt", "to.txt"], () =>
    renameSync(path.join(root, "moved.txt"), path.join(root, "to.txt")),
  );
  const state = () =>
    ["changed.bin", "deleted.txt", "moved.txt", "to.txt", "new/deep.txt", "other.txt"].map((name) =>
      read(root, name),
    );
  return { root, k, state };
}

const before = [bytes.toString("latin1"), "deleted", "moved", undefined, undefined, "other"];
const AFTER = ["text", undefined, undefined, "moved", "new", "other"];

describe("restore", () => {
  it("puts files back to the message, and forth again, after a restart too", async () => {
    const { root, k, state } = await scene();
    expect(state()).toEqual(AFTER);
    const plan = await k.checkpoints.plan("message");
    expect(
      plan.files.map(({ path: file, changedSince, lost }) => [path.relative(root, file), changedSince, lost]),
    ).toEqual(
      ["changed.bin", "deleted.txt", "moved.txt", "new/deep.txt", "to.txt"].map((name) => [
        name,
        false,
        false,
      ]),
    );
    const done = await k.checkpoints.restore(plan);
    expect(done).toMatchObject({ failed: [], id: expect.any(String) });
    expect(done.restored).toHaveLength(5);
    expect(state()).toEqual(before);
    // A folder that was made for a file goes with it.
    expect(existsSync(path.join(root, "new"))).toBe(false);
    const again = await k.restart();
    await again.checkpoints.restore(await again.checkpoints.plan(done.id ?? ""));
    expect(state()).toEqual(AFTER);
    await again.checkpoints.restore(await again.checkpoints.plan("message"));
    expect(state()).toEqual(before);
    expect([...k.problems, ...again.problems]).toEqual([]);
  });

  it("to before a later change leaves what earlier ones made", async () => {
    const { k, state } = await scene();
    await k.checkpoints.restore(await k.checkpoints.plan("delete"));
    expect(state()).toEqual(["text", "deleted", "moved", undefined, "new", "other"]);
  });

  it("names what the user changed since, and leaves alone what is not given to it", async () => {
    const { root, k, state } = await scene();
    write(root, { "changed.bin": "mine", "deleted.txt": "mine too", "other.txt": "unrelated" });
    const plan = await k.checkpoints.plan("message");
    const since = plan.files.filter(({ changedSince }) => changedSince);
    expect(since.map(({ path: file }) => path.basename(file))).toEqual(["changed.bin", "deleted.txt"]);
    await k.checkpoints.restore(
      plan,
      plan.files.filter(({ changedSince }) => !changedSince),
    );
    expect(state()).toEqual(["mine", "mine too", "moved", undefined, undefined, "unrelated"]);
    const rest = await k.checkpoints.plan("message");
    const done = await k.checkpoints.restore(rest);
    expect(state()).toEqual([...before.slice(0, 5), "unrelated"]);
    // Nothing of the user's is lost by that either.
    await k.checkpoints.restore(await k.checkpoints.plan(done.id ?? ""));
    expect(read(root, "changed.bin")).toBe("mine");
  });

  it("leaves alone a file that changes between the plan and the click", async () => {
    const { root, k } = await scene();
    const plan = await k.checkpoints.plan("message");
    write(root, { "changed.bin": "just now" });
    const done = await k.checkpoints.restore(plan);
    expect(done.failed.map(({ path: file }) => path.basename(file))).toEqual(["changed.bin"]);
    expect(done.restored).toHaveLength(4);
    expect(read(root, "changed.bin")).toBe("just now");
  });

  it.skipIf(process.platform === "win32")("does not follow a folder that became a link", async () => {
    const { root, k } = await scene();
    const outside = await temporaryFolder();
    write(outside, { "deep.txt": "new" });
    rmSync(path.join(root, "new"), { recursive: true });
    symlinkSync(outside, path.join(root, "new"));
    const plan = await k.checkpoints.plan("message");
    const done = await k.checkpoints.restore(plan);
    expect(done.failed.map(({ path: file }) => path.relative(root, file))).toEqual(["new/deep.txt"]);
    expect(read(outside, "deep.txt")).toBe("new");
  });

  it.skipIf(process.platform === "win32")(
    "keeps permissions and links, and writes what a link leads to",
    async () => {
      const root = await temporaryFolder();
      write(root, { "run.sh": "one", "real.txt": "real" });
      chmodSync(path.join(root, "run.sh"), 0o750);
      symlinkSync("real.txt", path.join(root, "link"));
      const k = await kept(root);
      await k.call("a", ["run.sh"], () => {
        write(root, { "run.sh": "two" });
        chmodSync(path.join(root, "run.sh"), 0o640);
      });
      await k.call("b", ["link"], () => write(root, { "real.txt": "through the link" }));
      await k.call("c", ["link"], () => unlinkSync(path.join(root, "link")));
      await k.checkpoints.restore(await k.checkpoints.plan("a"));
      expect([read(root, "run.sh"), read(root, "link"), read(root, "real.txt")]).toEqual([
        "one",
        "real",
        "real",
      ]);
      expect(statSync(path.join(root, "run.sh")).mode & 0o777).toBe(0o750);
    },
  );

  it("is not begun while a call changes files", async () => {
    const { root, k } = await scene();
    const plan = await k.checkpoints.plan("message");
    const change = await k.checkpoints.begin({ callId: "x", paths: [path.join(root, "x")], anything: false });
    await expect(k.checkpoints.restore(plan)).rejects.toThrow(CheckpointError);
    change.end();
    expect((await k.checkpoints.restore(plan)).failed).toEqual([]);
  });
});

describe("undo of one change", () => {
  it("takes back that one, and says so", async () => {
    const { root, k, state } = await scene();
    const done = await k.checkpoints.restore(await k.checkpoints.planUndo("change"));
    expect(state()).toEqual([before[0], ...AFTER.slice(1)]);
    expect(k.views.findLast(({ id }) => id === "change")).toMatchObject({
      kind: "call",
      undone: true,
      files: 1,
    });
    await k.checkpoints.restore(await k.checkpoints.plan(done.id ?? ""));
    expect(state()).toEqual(AFTER);
    expect(k.views.findLast(({ id }) => id === "change")?.undone).toBeUndefined();
    const shown = (await k.restart()).checkpoints
      .views()
      .map(({ kind, id }) => [kind, id.replace(/-\d+/, "")]);
    expect(shown).toEqual([
      ["message", "message"],
      ...["create", "change", "delete", "move"].map((id) => ["call", id]),
      ...["restore", "restore"].map((id) => ["restore", id]),
    ]);
    expect(read(root, "changed.bin")).toBe("text");
  });

  it("names a file that changed since", async () => {
    const { root, k } = await scene();
    appendFileSync(path.join(root, "changed.bin"), "more");
    const plan = await k.checkpoints.planUndo("change");
    expect(plan.files.map(({ changedSince }) => changedSince)).toEqual([true]);
  });

  it("is there after a restart, and still refuses a file that changed since, byte for byte", async () => {
    const { root, k } = await scene();
    const again = await k.restart();
    const plan = await again.checkpoints.planUndo("change");
    expect(plan.files.map(({ changedSince }) => changedSince)).toEqual([false]);
    // It changes between the question and the answer.
    appendFileSync(path.join(root, "changed.bin"), "mine");
    const mine = read(root, "changed.bin");
    const { restored, failed } = await again.checkpoints.restore(plan);
    expect(restored).toEqual([]);
    expect(failed).toMatchObject([{ fault: { code: "file-changed" } }]);
    expect(read(root, "changed.bin")).toBe(mine);
  });
});

describe("what is written down", () => {
  it("is on the disk before the write: a crash in between loses nothing", async () => {
    const root = await temporaryFolder();
    write(root, { a: "before" });
    const k = await kept(root);
    k.checkpoints.mark("message");
    await k.checkpoints.begin({ callId: "crashed", paths: [path.join(root, "a")], anything: false });
    write(root, { a: "after" });
    const again = await k.restart();
    const plan = await again.checkpoints.plan("message");
    // Nobody knows whose the present content is.
    expect(plan.files).toMatchObject([{ changedSince: true, lost: false }]);
    expect(again.checkpoints.views()).toMatchObject([
      { kind: "message" },
      { id: "crashed", unfinished: true },
    ]);
    await again.checkpoints.restore(plan);
    expect(read(root, "a")).toBe("before");
  });

  it("a torn last line is dropped, nothing else", async () => {
    const { root, k } = await scene();
    const journal = path.join(k.dataDir, "checkpoints/session.jsonl");
    appendFileSync(journal, '{"t":"begin","id":"to');
    const again = await k.restart();
    await again.call("later", ["later.txt"], () => write(root, { "later.txt": "later" }));
    const third = await k.restart();
    expect((await third.checkpoints.plan("message")).files).toHaveLength(6);
    expect((await third.checkpoints.plan("later")).files).toHaveLength(1);
  });

  it("a file too large to keep is said, and not touched", async () => {
    const root = await temporaryFolder();
    const large = Buffer.alloc(51_000_000, 65);
    write(root, { large });
    const k = await kept(root);
    await k.call("a", ["large"], () => write(root, { large: "small" }));
    const plan = await k.checkpoints.plan("a");
    expect(plan.files).toMatchObject([{ lost: true }]);
    expect((await k.checkpoints.restore(plan)).failed).toHaveLength(1);
    expect(read(root, "large")).toBe("small");
  });

  it("nothing, when the setting says so", async () => {
    const root = await temporaryFolder();
    const k = await kept(root);
    k.settings.enabled = false;
    k.checkpoints.mark("message");
    await k.call("a", ["a"], () => write(root, { a: "a" }));
    await expect(k.checkpoints.plan("message")).rejects.toThrow(CheckpointError);
    expect(await k.storage.list("checkpoints/contents")).toEqual([]);
  });

  it("a full disk stops the write, not the way back", async () => {
    const { root, k } = await scene();
    const { storage } = k;
    const replace = storage.replace;
    storage.replace = () => Promise.reject(new Error("ENOSPC"));
    write(root, { "other.txt": "something new" });
    await expect(k.call("x", ["other.txt"], () => write(root, { "other.txt": "lost" }))).rejects.toThrow(
      "ENOSPC",
    );
    expect(read(root, "other.txt")).toBe("something new");
    storage.replace = replace;
    expect((await k.checkpoints.restore(await k.checkpoints.plan("message"))).failed).toEqual([]);
  });
});

/** Bytes of all files in a folder and its folders. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

describe("space", () => {
  it("is bounded: what was needed longest ago goes first, and is said to be lost", async () => {
    const root = await temporaryFolder();
    mkdirSync(path.join(root, "d"));
    const k = await kept(root);
    k.settings.maxSize = 1;
    for (let i = 0; i < 10; i++) {
      await k.call(`call-${i}`, ["d/f"], () => write(root, { "d/f": Buffer.alloc(200_000, 65 + i) }));
      await k.project.bounded();
    }
    const names = await k.storage.list("checkpoints/contents");
    expect(names.length).toBeLessThanOrEqual(5);
    expect((await k.checkpoints.plan("call-9")).files).toMatchObject([{ lost: false }]);
    expect((await k.checkpoints.plan("call-2")).files).toMatchObject([{ lost: true }]);
    expect(k.problems).toEqual([]);
  });

  it("is freed with its session, but for what another one needs", async () => {
    const root = await temporaryFolder();
    write(root, { a: "shared" });
    const k = await kept(root);
    await k.call("one", ["a"], () => write(root, { a: "of the first" }));
    const second = await k.session("second");
    write(root, { a: "shared" });
    await second.call("two", ["a"], () => write(root, { a: "of the second" }));
    await k.project.forget(["session"]);
    expect(await k.storage.list("checkpoints/contents")).toHaveLength(2);
    expect((await second.checkpoints.plan("two")).files).toMatchObject([{ lost: false }]);
    await k.project.forget(["second"]);
    expect(await k.storage.list("checkpoints/contents")).toEqual([]);
  });

  it("is freed also where a process died in the middle, and nothing else is removed", async () => {
    const root = await temporaryFolder();
    write(root, { a: "before" });
    const k = await kept(root);
    await k.call("one", ["a"], () => write(root, { a: "after" }));
    const folder = "checkpoints/contents";
    const [used = ""] = await k.storage.list(folder);
    await k.storage.rename(`${folder}/${used}`, `${folder}/${used}.leaving`);
    expect((await k.checkpoints.plan("one")).files).toMatchObject([{ lost: false }]);
    await k.storage.replace(`${folder}/${"0".repeat(64)}.leaving`, new Uint8Array(1));
    await k.storage.replace(`${folder}/not one of ours`, new Uint8Array(1));
    await k.project.forget(["another"]);
    const names = await k.storage.list(folder);
    expect(names).toContain(used);
    expect(names).toContain("not one of ours");
    expect(names.filter((name) => name.endsWith(".leaving"))).toEqual([]);
  });

  it("is what is on the disk: bounded by the setting, and nothing once its sessions are gone", async () => {
    const root = await temporaryFolder();
    const k = await kept(root);
    k.settings.maxSize = 2;
    const megabyte = 1_000_000;
    for (let i = 0; i < 12; i++) {
      await k.call(`call-${i}`, ["f"], () => write(root, { f: randomBytes(megabyte / 2) }));
      await k.project.bounded();
      expect(bytesIn(path.join(k.dataDir, "checkpoints"))).toBeLessThan(2.1 * megabyte);
    }
    // Another session keeps what it needs.
    const second = await k.session("second");
    await second.call("other", ["g"], () => write(root, { g: randomBytes(megabyte / 4) }));
    await k.project.bounded();
    await k.project.forget(["session"]);
    const left = bytesIn(path.join(k.dataDir, "checkpoints"));
    expect(left).toBeGreaterThan(megabyte / 4);
    expect(left).toBeLessThan(megabyte / 3);
    await k.project.forget(["second"]);
    expect(bytesIn(path.join(k.dataDir, "checkpoints"))).toBe(0);
  });

  it("a branch of a session has the checkpoints of what it begins with", async () => {
    const { k } = await scene();
    k.checkpoints.mark("second");
    await k.call("later", [], () => {});
    await k.project.fork("session", "branch", "second");
    const branch = await k.session("branch");
    expect((await branch.checkpoints.plan("message")).files).toHaveLength(5);
    await expect(branch.checkpoints.plan("second")).rejects.toThrow(CheckpointError);
  });
});
