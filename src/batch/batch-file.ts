/** Reads the tasks of a batch, and finds everything that is wrong with them before one starts. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isFolder } from "../node/files/fs-errors.ts";
import { type BatchTask, batchTaskSchema } from "../shared/run/batch-lines.ts";
import type * as z from "../shared/zod.ts";

export type BatchFault = { line: number; field: string } & (
  | { code: "not-json" }
  | { code: "not-an-object" }
  | { code: "missing" }
  | { code: "invalid"; issue: z.core.$ZodIssue }
  /** `other`: the line that has the same id. */
  | { code: "repeated-id"; other: number }
  /** Exactly one of `cwd` and `repo` is required. */
  | { code: "no-place" | "two-places" }
  | { code: "no-folder"; path: string }
);

export interface Batch {
  tasks: readonly BatchTask[];
  /** By line. If there are any, the tasks must not run. */
  faults: readonly BatchFault[];
}

/** A URL, or an address in the short form of SSH: `git@host:path`. */
const REMOTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|[^/\\:]{2,}:)/i;

/**
 * The paths of the tasks become absolute. `here`: the tasks run on this machine, so their folders must exist. Rejects with a
 * system error if the file cannot be read.
 */
export async function readBatch(file: string, here: boolean): Promise<Batch> {
  const folder = path.dirname(path.resolve(file));
  const lines = (await readFile(file, "utf8")).replace(/^\ufeff/, "").split(/\r?\n/);
  const tasks: BatchTask[] = [];
  const faults: BatchFault[] = [];
  const known = new Map<string, number>();
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    if (text.trim() === "") continue;
    const read = taskOf(text, line);
    faults.push(...read.faults);
    const { task } = read;
    if (!task) continue;
    const other = known.get(task.id);
    if (other !== undefined) faults.push({ line, field: "id", code: "repeated-id", other });
    known.set(task.id, other ?? line);
    const placed = resolved(task, folder);
    if (here) faults.push(...(await missing(placed, line)));
    tasks.push(placed);
  }
  return { tasks, faults };
}

/** Returns one machine's part of a batch that several machines share: every `of`th task, beginning with number `index` (from 1). */
export function shardOf(tasks: readonly BatchTask[], { index, of }: Shard): BatchTask[] {
  return tasks.filter((_, at) => at % of === index - 1);
}

export interface Shard {
  index: number;
  of: number;
}

/** A file name that no other task of the batch has. */
export function fileNameOf(id: string): string {
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 8);
  return `${id.replaceAll(/[^\w.-]/g, "_").slice(0, 60)}-${hash}`;
}

function taskOf(text: string, line: number): { task?: BatchTask; faults: BatchFault[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { faults: [{ line, field: "", code: "not-json" }] };
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return { faults: [{ line, field: "", code: "not-an-object" }] };
  const fields = value;
  const parsed = batchTaskSchema.safeParse(fields);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue): BatchFault => {
      const unknown = issue.code === "unrecognized_keys" ? issue.keys.join(", ") : "";
      const field = issue.path.join(".") || unknown;
      const isThere = unknown !== "" || Object.hasOwn(fields, field);
      return isThere ? { line, field, code: "invalid", issue } : { line, field, code: "missing" };
    });
    return { faults };
  }
  const { cwd, repo } = parsed.data;
  if (cwd === undefined && repo === undefined)
    return { task: parsed.data, faults: [{ line, field: "cwd", code: "no-place" }] };
  if (cwd !== undefined && repo !== undefined)
    return { task: parsed.data, faults: [{ line, field: "repo", code: "two-places" }] };
  return { task: parsed.data, faults: [] };
}

export function isRemote(repo: string): boolean {
  return REMOTE.test(repo);
}

function resolved(task: BatchTask, folder: string): BatchTask {
  const { cwd, repo } = task;
  if (cwd !== undefined) return { ...task, cwd: path.resolve(folder, cwd) };
  if (repo === undefined || isRemote(repo)) return task;
  return { ...task, repo: path.resolve(folder, repo) };
}

async function missing({ cwd, repo }: BatchTask, line: number): Promise<BatchFault[]> {
  const field = cwd === undefined ? "repo" : "cwd";
  const place = cwd ?? repo;
  if (place === undefined || (field === "repo" && isRemote(place)) || (await isFolder(place))) return [];
  return [{ line, field, code: "no-folder", path: place }];
}
