/** Git worktrees over the files of a host in memory: the last commit is what the project had when the first one was created. */
import type { Host } from "../../src/core/ports/host.ts";
import type { Worktree, WorktreeChange, Worktrees } from "../../src/core/ports/worktrees.ts";
import type { MemoryHost } from "./memory-host.ts";

const ROOT = "/project";

export interface MemoryWorktrees {
  /** Those that exist. */
  all: Worktree[];
}

/** Gives a host in memory worktrees, and a git that compares its project with their base. */
export function withWorktrees({ host, files }: MemoryHost): MemoryWorktrees {
  const all: Worktree[] = [];
  const base = new Map<string, string>();
  let created = 0;
  const below = (folder: string) =>
    new Map(
      [...files].flatMap(([name, text]) =>
        name.startsWith(`${folder}/`) ? [[name.slice(folder.length + 1), text] as const] : [],
      ),
    );
  const changesOf = (folder: string): WorktreeChange[] => {
    const now = below(folder);
    const names = [...new Set([...base.keys(), ...now.keys()])].sort();
    return names.flatMap((path): WorktreeChange[] => {
      if (base.get(path) === now.get(path)) return [];
      const kind = !base.has(path) ? "added" : now.has(path) ? "changed" : "deleted";
      return [{ path, kind, uncommitted: true }];
    });
  };
  const worktrees: Worktrees = {
    async create({ title }) {
      if (created === 0) for (const [name, text] of below(ROOT)) base.set(name, text);
      const path = `/worktrees/${++created}`;
      for (const [name, text] of base) files.set(`${path}/${name}`, text);
      const branch = `nekode/${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
      const worktree = { path, root: path, branch, base: "b".repeat(40) };
      all.push(worktree);
      return { worktree, uncommitted: changesOf(ROOT).map((change) => change.path), incomplete: [] };
    },
    async state(worktree) {
      if (!all.includes(worktree) && !all.some(({ path }) => path === worktree.path)) return undefined;
      return { changes: changesOf(worktree.path), ignored: [], commits: 0 };
    },
    diff: async () => "",
    commit: async () => undefined,
    merge: async () => ({ type: "nothing-to-merge" }),
    async remove(worktree, { losing }) {
      const others = changesOf(worktree.path).flatMap(({ path }) => (losing.includes(path) ? [] : [path]));
      if (others.length > 0) return others;
      for (const name of below(worktree.path).keys()) files.delete(`${worktree.path}/${name}`);
      all.splice(
        all.findIndex(({ path }) => path === worktree.path),
        1,
      );
      return [];
    },
    list: async () => all,
  };
  const git: NonNullable<Host["git"]> = {
    workingState: async () => "",
    diff: async () => "",
    commit: async () => "",
    commits: async () => [],
    steeredBy: undefined,
    async ask(_folder, args) {
      if (args[0] !== "diff") return "";
      return changesOf(ROOT)
        .map(({ path }) => `${path}\0`)
        .filter((path) => args.includes(`:(top,literal)${path.slice(0, -1)}`))
        .join("");
    },
  };
  Object.assign(host, {
    worktrees,
    git,
    inFolder: (folder: string): Host => ({
      ...host,
      workspace: { ...host.workspace, root: folder, roots: [{ name: "project", path: folder }] },
    }),
  });
  return { all };
}
