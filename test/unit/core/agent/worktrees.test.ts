/** Sessions in worktrees: where they work, and that nothing runs where they cannot. */
import { afterEach, expect, it } from "vitest";
import type { View } from "../../../../src/core/agent/view.ts";
import { Interrupt } from "../../../../src/core/errors.ts";
import { WorktreeUnavailable } from "../../../../src/core/sessions/open/worktree-use.ts";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../../../model-server/scripts/neko.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const BEFORE = `${NEKO_BEFORE}\n`;
const AFTER = `${NEKO_AFTER}\n`;
const TASK = "@/neko.txt 猫を犬に";
const WORKTREE = { path: "/trees/a", root: "/trees/a", branch: "nekode/a", base: "1234" };
const FILE = "/trees/a/neko.txt";

async function start(): Promise<void> {
  agent = await startAgent({ script: nekoScript(), files: { "neko.txt": BEFORE } });
  const { host, files } = agent;
  host.inFolder = (folder) => ({
    ...host,
    workspace: { root: folder, roots: [{ name: "project", path: folder }], trusted: true },
  });
  files.set(FILE, BEFORE);
  await agent.view.newTask({ worktree: WORKTREE });
}

/** Returns the id of the session, in which a change waits for approval. */
async function begin(): Promise<string> {
  await start();
  const asked = agent.asked();
  await agent.view.send(TASK);
  await asked;
  return agent.view.active.id;
}

const notices = () => agent.rows().flatMap((row) => (row.kind === "notice" ? [row.code] : []));

it("works in its worktree, also after a restart", async () => {
  const id = await begin();
  expect(JSON.stringify(agent.server.chat(1).messages)).toContain("Current Working Directory (/trees/a)");
  await agent.restart();
  expect(agent.view.active.chatView.session).toMatchObject({ id, worktree: WORKTREE });
  agent.view.active.approve(await agent.asked());
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect([agent.files.get(FILE), agent.files.get("/project/neko.txt")]).toEqual([AFTER, BEFORE]);
  expect((await agent.project.history())[0]?.worktree).toEqual(WORKTREE);
});

it("runs nothing when the worktree is gone, and says so", async () => {
  await begin();
  agent.files.delete(FILE);
  await agent.restart();
  expect(notices()).toEqual(["worktree-gone"]);
  expect(agent.view.active.approvals.first).toBeUndefined();
  await expect(agent.view.send("again")).rejects.toBeInstanceOf(WorktreeUnavailable);
  await agent.view.active.idle;
  expect(agent.server.requests).toHaveLength(1);
  expect([...agent.files]).toEqual([["/project/neko.txt", BEFORE]]);
});

it("works alone: neither another session nor another process works in its worktree meanwhile", async () => {
  const first = await begin();
  await agent.view.newTask({ keep: true, worktree: WORKTREE });
  await expect(agent.view.send("me too")).rejects.toMatchObject({ code: "worktree-in-use" });
  await agent.view.active.idle;
  expect(agent.server.requests).toHaveLength(1);
  const { project, view, store } = await agent.another();
  // A session that this process has open in the same worktree is enough.
  await agent.view.open(first);
  expect(await view.open(first)).toEqual({ elsewhere: true });
  await project.dispose();
  await store.close();
});

it("is found with its session, beside those that a crash left, and is over when it was removed", async () => {
  const id = await begin();
  const left = { ...WORKTREE, path: "/trees/b", root: "/trees/b", branch: "nekode/b" };
  const removed: string[] = [];
  const unused = () => Promise.reject(new Error("not in this test"));
  agent.host.worktrees = {
    ...{ create: unused, state: unused, diff: unused, commit: unused, merge: unused },
    list: async () => [WORKTREE, left],
    remove: async ({ path }, { losing }) => {
      if (losing.length === 0) return ["neko.txt"];
      removed.push(path);
      return [];
    },
  };
  const { signal } = new AbortController();
  const found = await agent.project.worktrees.list(signal);
  expect(found.map(({ worktree, session }) => [worktree.branch, session?.id])).toEqual([
    ["nekode/a", id],
    ["nekode/b", undefined],
  ]);
  const remove = (losing: string[]) =>
    agent.view.removeWorktree(WORKTREE, { losing, branch: "delete" }, signal);
  await expect(remove([])).rejects.toMatchObject({ code: "worktree-in-use" });
  await agent.view.stop();
  expect(await remove([])).toEqual(["neko.txt"]);
  expect(agent.view.active.chatView.session?.worktree).toEqual(WORKTREE);
  expect(await remove(["neko.txt"])).toEqual([]);
  expect(removed).toEqual(["/trees/a"]);
  expect(agent.view.active.chatView.session).toEqual({ id, title: TASK });
});

it("is reviewed by one at a time, of two windows and in one", async () => {
  await start();
  const { host, project, view } = agent;
  const other = await agent.another();
  const { signal } = new AbortController();
  const unused = () => Promise.reject(new Error("not in this test"));
  let [begun, end] = [(): void => undefined, (): void => undefined];
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const did: string[] = [];
  host.worktrees = {
    ...{ create: unused, state: unused, diff: unused, list: unused },
    async commit() {
      did.push("commit");
      begun();
      await isOver;
      return undefined;
    },
    async merge() {
      did.push("merge");
      return { type: "nothing-to-merge" };
    },
    async remove() {
      did.push("remove");
      return [];
    },
  };
  const discard = (view: View) => view.removeWorktree(WORKTREE, { losing: [], branch: "delete" }, signal);
  const inUse = { code: "worktree-in-use", branch: "nekode/a" };
  const merged = project.worktrees.merge(WORKTREE, "Dog", signal);
  await isBegun;
  await expect(discard(view)).rejects.toMatchObject(inUse);
  await expect(discard(other.view)).rejects.toMatchObject(inUse);
  await expect(other.project.worktrees.merge(WORKTREE, "Dog", signal)).rejects.toMatchObject(inUse);
  end();
  expect(await merged).toEqual({ type: "nothing-to-merge" });
  expect(did).toEqual(["commit", "merge"]);
  expect(await discard(other.view)).toEqual([]);
  await other.project.dispose();
  await other.store.close();
});

it("is created while the user does something else, or is stopped", async () => {
  agent = await startAgent({ script: nekoScript(), files: { "neko.txt": BEFORE } });
  const { host, files, project, view } = agent;
  host.inFolder = (folder) => ({
    ...host,
    workspace: { root: folder, roots: [{ name: "project", path: folder }], trusted: true },
  });
  const unused = () => Promise.reject(new Error("not in this test"));
  let created = (): void => undefined;
  host.worktrees = {
    ...{ state: unused, diff: unused, commit: unused, merge: unused, list: unused, remove: unused },
    create: (_, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Interrupt()));
        created = () => {
          files.set(FILE, BEFORE);
          resolve({ worktree: WORKTREE, uncommitted: ["a.txt"], incomplete: [] });
        };
      }),
  };
  await view.setBeginsInWorktree(true);
  const stopped = view.send(TASK);
  await expect.poll(() => view.active.chatView.status).toBe("running");
  await view.stop();
  await expect(stopped).rejects.toBeInstanceOf(Interrupt);
  expect(view.active.chatView).toMatchObject({ status: "idle", beginsInWorktree: true, session: null });

  const sent = view.send(TASK);
  await expect.poll(() => view.active.chatView.status).toBe("running");
  await view.newTask({ keep: true });
  expect(view.active.chatView.beginsInWorktree).toBeUndefined();
  const asked = agent.until((event) => event.type === "approval");
  created();
  await sent;
  const { session } = await asked;
  expect(project.overview.all).toMatchObject([{ id: session }]);
  await view.open(session, { keep: true });
  expect(view.active.chatView.session?.worktree).toEqual(WORKTREE);
  expect(agent.rows()).toContainEqual(
    expect.objectContaining({ code: "worktree-begun", values: ["nekode/a", "1"] }),
  );
});
