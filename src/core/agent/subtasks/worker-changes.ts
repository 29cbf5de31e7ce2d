/**
 * What a task changed in its worktree, as one change of the project's folder: exactly the bytes that the user is shown, and only
 * if the files there are still as they were.
 */
import { join, relative, resolve } from "node:path";
import type { ApprovalView, ChangedFile } from "../../../shared/event.ts";
import { changedRegions, unifiedDiff } from "../../edits/regions.ts";
import { messageOf, ToolError } from "../../errors.ts";
import type { FileContent, FileStates } from "../../ports/file-states.ts";
import type { Host } from "../../ports/host.ts";
import type { Worktree, WorktreeChange } from "../../ports/worktrees.ts";
import { hunkRoom, shownHunks } from "../../tools/editing/prepared-edit.ts";
import { type Invocation, type PathUse, textOutput } from "../../tools/tool.ts";
import { displayPath } from "../../tools/tool-paths.ts";

/** Maximum bytes of a file; changes with larger files are not applied. */
const FILE_LIMIT = 20_000_000;
/** Characters of git's list of changed files. */
const LIST_LIMIT = 10_000_000;

export interface WorkerChangesDeps {
  /** The ports of the project's folder. */
  host: Host;
  files: FileStates;
  /** Records that the task that makes the change wrote this file. */
  wrote(path: string): void;
}

interface WorkerFile {
  path: string;
  name: string;
  kind: WorktreeChange["kind"];
  before: FileContent | null;
  after: FileContent | null;
}

export type WorkerChange =
  | { type: "none" }
  | {
      type: "change";
      invocation: Invocation;
      names: readonly string[];
      /** In the worktree, as its state names them. */
      paths: readonly string[];
      /** Whether the worktree still has exactly these changes. */
      isUnchanged(): Promise<boolean>;
    }
  /** It cannot be applied, for this reason. */
  | { type: "impossible"; why: string };

/** The change, as it can be proposed now. */
export async function workerChange(
  deps: WorkerChangesDeps,
  worktree: Worktree,
  signal: AbortSignal,
): Promise<WorkerChange> {
  const { host } = deps;
  const state = await host.worktrees?.state(worktree, signal);
  if (!state) return { type: "impossible", why: "its worktree does not exist any more" };
  if (state.changes.length === 0) return { type: "none" };
  const root = host.workspace.root ?? "";
  const here = (path: string) => resolve(root, relative(worktree.root, join(worktree.path, path)));
  const since = await changedSince(host, worktree, state.changes, signal);
  const workerFiles: WorkerFile[] = [];
  const changed: string[] = [];
  for (const { path, kind } of state.changes) {
    const target = here(path);
    const name = displayPath(host.workspace, target);
    const after = kind === "deleted" ? null : await deps.files.read(join(worktree.path, path), FILE_LIMIT);
    const before = await deps.files.read(target, FILE_LIMIT);
    if (!isContent(after) || !isContent(before))
      return { type: "impossible", why: `${name} is too large, or is no file` };
    if (since.has(path) || (before === null) !== (kind === "added")) changed.push(name);
    workerFiles.push({ path: target, name, kind, before, after });
  }
  if (changed.length > 0)
    return {
      type: "impossible",
      why: `these files of the project are not as they were when the task began: ${changed.join(", ")}`,
    };
  const paths = state.changes.map(({ path }) => path);
  return {
    type: "change",
    invocation: invocationOf(deps, workerFiles),
    names: workerFiles.map(({ name }) => name),
    paths,
    async isUnchanged() {
      for (const [index, path] of paths.entries()) {
        const content = await deps.files.read(join(worktree.path, path), FILE_LIMIT);
        if (!isContent(content) || !sameContent(content, workerFiles[index]?.after ?? null)) return false;
      }
      return true;
    },
  };
}

/** Those of the worktree's changed files that differ in the project's folder from the commit at which the worktree began. */
async function changedSince(
  { git, workspace }: Host,
  { base }: Worktree,
  changes: readonly WorktreeChange[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const paths = changes.map(({ path }) => `:(top,literal)${path}`);
  const args = ["diff", "--name-only", "--no-ext-diff", "--no-textconv", "--no-renames", "-z", base, "--"];
  const list = await git?.ask(workspace.root ?? "", [...args, ...paths], { limit: LIST_LIMIT, signal });
  if (list === undefined) throw new ToolError("Git cannot compare the project with the task's worktree.");
  return new Set(list.split("\0").filter((path) => path !== ""));
}

function isContent(content: FileContent | null | "large" | "other"): content is FileContent | null {
  return content === null || (typeof content === "object" && content.kind !== "directory");
}

function invocationOf(deps: WorkerChangesDeps, workerFiles: readonly WorkerFile[]): Invocation {
  const files = shownFiles(workerFiles);
  return {
    paths: workerFiles.map((each) => ({ path: each.path, access: "write", ...changeOf(each) })),
    // No diff shows where a link leads, or that a file can be run.
    alwaysAsks: workerFiles.some(({ before, after }) => isSpecial(after) && !sameContent(before, after)),
    view: { files, text: diffOf(workerFiles), ...sums(files) },
    run: async () => {
      await applyAll(deps, workerFiles);
      return textOutput("");
    },
  };
}

/** Known if only the text of the file changes. */
function changeOf({ before: was, after: is }: WorkerFile): Pick<PathUse, "change"> {
  const isSameKind = was === null ? is?.kind === "file" : is === null || is.kind === was.kind;
  if (!isSameKind || was?.kind === "link") return {};
  const [before, after] = [textOf(was), textOf(is)];
  return before === undefined || after === undefined ? {} : { change: { before, after } };
}

const isSpecial = (content: FileContent | null) => content !== null && content.kind !== "file";

function sums(files: readonly ChangedFile[]): Pick<ApprovalView, "added" | "removed"> {
  const sum = (of: "added" | "removed") => files.reduce((total, file) => total + file[of], 0);
  return { added: sum("added"), removed: sum("removed") };
}

function shownFiles(workerFiles: readonly WorkerFile[]): ChangedFile[] {
  const room = hunkRoom();
  const kinds = { added: "add", changed: "update", deleted: "delete" } as const;
  return workerFiles.map(({ name, kind, before, after }) => {
    const [was, is] = [textOf(before) ?? "", textOf(after) ?? ""];
    const { added, removed } = changedRegions(was, is);
    const hunks = after === null ? {} : { hunks: shownHunks(was, is, room) };
    return { path: name, kind: kinds[kind], added, removed, ...becomes(before, after), ...hunks };
  });
}

/** A link is named even if only its target changes. */
function becomes(before: FileContent | null, after: FileContent | null): Pick<ChangedFile, "becomes"> {
  if (after?.kind === "link") return { becomes: "link" };
  return after?.kind === "executable" && before?.kind !== "executable" ? { becomes: "executable" } : {};
}

/** All changes, for hosts that show text. */
function diffOf(workerFiles: readonly WorkerFile[]): string {
  const parts = workerFiles.map(({ name, before, after }) => {
    const [was, is] = [textOf(before), textOf(after)];
    if (was === undefined || is === undefined) return `${name}: binary`;
    const special = after && isSpecial(after) ? ` (${after.kind})` : "";
    return `--- ${before ? name : "/dev/null"}\n+++ ${after ? name : "/dev/null"}${special}\n${unifiedDiff(was ?? "", is ?? "")}`;
  });
  return parts.join("\n");
}

/** undefined: it is no text. null: there is no file. */
function textOf(content: FileContent | null): string | null | undefined {
  if (content === null) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content.bytes);
  } catch {
    // Not UTF-8: shown as a file without text.
    return undefined;
  }
}

function sameContent(one: FileContent | null, other: FileContent | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.kind === other.kind &&
    one.bytes.length === other.bytes.length &&
    one.bytes.every((byte, index) => byte === other.bytes[index])
  );
}

/** All files are compared before the first is written. Throws ToolError, which states what was written, if one changed meanwhile. */
async function applyAll(
  { files, wrote }: WorkerChangesDeps,
  workerFiles: readonly WorkerFile[],
): Promise<void> {
  const isExpected = (before: FileContent | null) => async (now: Awaited<ReturnType<FileStates["read"]>>) =>
    isContent(now) && sameContent(now, before);
  const changed: string[] = [];
  for (const { path, name, before } of workerFiles)
    if (!(await isExpected(before)(await files.read(path, FILE_LIMIT)))) changed.push(name);
  if (changed.length > 0)
    throw new ToolError(`Nothing was applied: ${changed.join(", ")} changed while the user was asked.`);
  const written: string[] = [];
  // Deletions come last, so that no file is deleted before its replacement exists.
  const order = [...workerFiles].sort((a, b) => Number(a.after === null) - Number(b.after === null));
  for (const { path, name, before, after } of order) {
    try {
      // The user's system decides on the mode of a new file, except for whether it can be run.
      await files.put(path, after && { kind: after.kind, bytes: after.bytes }, isExpected(before));
    } catch (error) {
      const outcome = written.length === 0 ? "Nothing was applied." : `Applied: ${written.join(", ")}.`;
      throw new ToolError(`${outcome} Not applied: ${name}: ${messageOf(error)}`);
    }
    wrote(path);
    written.push(name);
  }
}
