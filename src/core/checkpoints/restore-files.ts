/** Putting files back: first what that would do, then doing it, file by file. */
import { reasonOf } from "../../shared/reason.ts";
import { faultOf, ToolError } from "../errors.ts";
import { inParallel } from "../in-parallel.ts";
import { type FileChange, type FileState, isFolder, sameState } from "./change-records.ts";
import { type Change, netChanges } from "./changes.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import {
  type CheckpointDeps,
  fileLimit,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
} from "./checkpoint-types.ts";
import type { CheckpointSession } from "./session-changes.ts";

/** Bytes of a file out of which one change is taken. */
const takeBackLimit = 5_000_000;

export class Restoring {
  readonly #d: CheckpointDeps;
  readonly #store: CheckpointStore;

  constructor(deps: CheckpointDeps, store: CheckpointStore) {
    this.#d = deps;
    this.#store = store;
  }

  /** What going back before these changes would do. Changes nothing. */
  async plan(changes: readonly Change[]): Promise<PlannedFile[]> {
    const planned: PlannedFile[] = [];
    await inParallel(netChanges(changes), async ({ path, before, after, made }) => {
      const current = await this.#store.describe(await this.#d.files.read(path, fileLimit));
      if (sameState(current, before)) return;
      const changedSince = !after.some((state) => sameState(state, current));
      const lost = !(await this.#store.has(before));
      planned.push({
        path,
        target: before,
        current,
        changedSince,
        lost,
        ...(made === undefined ? {} : { made }),
      });
    });
    return planned.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The same of one change: from a file that changed since, only what this change did is taken. */
  async planUndo(change: Change): Promise<PlannedFile[]> {
    const planned = await this.plan([change]);
    return Promise.all(
      planned.map(async (file): Promise<PlannedFile> => {
        const after = change.files.find(({ path }) => path === file.path)?.after;
        const target = file.changedSince ? await this.#without(file, after) : undefined;
        return target ? { ...file, target, changedSince: false, mixed: true } : file;
      }),
    );
  }

  /** What the file is to be; undefined: that is not sure. Kept already, for whoever carries the plan out. */
  async #without(file: PlannedFile, after: FileState | undefined): Promise<FileState | undefined> {
    const { target: before, current } = file;
    const states = [before, after, current].map((state) => (typeof state === "object" ? state : undefined));
    const isOneKind = states.every((state) => state?.kind !== "link" && state?.kind === states[0]?.kind);
    if (!isOneKind || !states.every((state) => state && state.size <= takeBackLimit)) return undefined;
    const now = await this.#d.files.read(file.path, fileLimit);
    const [was, became] = await Promise.all([
      this.#store.content(before),
      this.#store.content(after ?? null),
    ]);
    if (!was || !became || now === null || typeof now !== "object") return undefined;
    if (!sameState(await this.#store.describe(now), current)) return undefined;
    const bytes = this.#d.takeBack?.(was.bytes, became.bytes, now.bytes);
    return bytes && this.#store.keep({ kind: now.kind, bytes });
  }

  /** What it replaces is kept first; `ended` is called once all is done. */
  async run(
    session: CheckpointSession,
    plan: RestorePlan,
    files: readonly PlannedFile[],
    place: string,
    ended: (id: string, files: FileChange[]) => Promise<void>,
  ): Promise<RestoreResult> {
    const result: RestoreResult = { restored: [], failed: [] };
    const wanted: PlannedFile[] = [];
    await inParallel(files, async (file) => {
      const now = await this.#d.files.read(file.path, fileLimit);
      const current = await this.#store.keep(now);
      if (file.lost) result.failed.push({ path: file.path, fault: reasonOf("content-not-kept") });
      else if (!sameState(current, file.current))
        result.failed.push({ path: file.path, fault: reasonOf("file-changed") });
      else wanted.push(file);
    });
    if (wanted.length === 0) return result;
    const id = this.#d.newId();
    const changes = wanted.map(({ path, current, target, mixed }) => ({
      ...{ path, before: current, after: target },
      ...(mixed ? { mixed } : {}),
    }));
    await session.write({
      t: "begin",
      id,
      at: this.#d.clock.now().toISOString(),
      kind: plan.undoes === undefined ? "restore" : "undo",
      place,
      files: changes,
      ...(plan.undoes === undefined ? { to: plan.id } : { undoes: plan.undoes }),
    });
    const put = (file: PlannedFile, target: FileState, expected: FileState): Promise<void> =>
      this.#put(file.path, target, expected, result);
    const { gone, folders, contents } = inOrder(wanted);
    await inParallel(
      gone.filter(({ current }) => !isFolder(current)),
      (file) => put(file, null, file.current),
    );
    for (const file of gone) if (isFolder(file.current)) await put(file, null, file.current);
    const removed = new Set(gone);
    const expected = (file: PlannedFile): FileState => (removed.has(file) ? null : file.current);
    // A folder whose permissions forbid writing gets them when all that is in it is there.
    for (const file of folders) await put(file, writable(file.target), expected(file));
    await inParallel(contents, (file) => put(file, file.target, expected(file)));
    for (const file of folders.reverse()) await put(file, file.target, writable(file.target));
    const failed = new Set(result.failed.map(({ path }) => path));
    result.restored.push(...wanted.flatMap(({ path }) => (failed.has(path) ? [] : [path])));
    const done = new Set(result.restored);
    for (const { path, target, made } of wanted) {
      if (target === null && made !== undefined && done.has(path)) await this.#d.files.prune(path, made);
    }
    await ended(
      id,
      changes.filter(({ path }) => done.has(path)),
    );
    return { ...result, id };
  }

  /** What stands there is kept first, and a failure is noted. */
  async #put(path: string, target: FileState, expected: FileState, result: RestoreResult): Promise<void> {
    if (result.failed.some((failure) => failure.path === path)) return;
    try {
      if (!(await this.#store.has(expected)))
        await this.#store.keep(await this.#d.files.read(path, fileLimit));
      const content = await this.#store.content(target);
      if (content === undefined) throw new ToolError("its content is not kept", reasonOf("content-not-kept"));
      await this.#d.files.put(path, content, async (found) =>
        sameState(await this.#store.describe(found), expected),
      );
    } catch (error) {
      // A folder that holds something of somebody else's stays.
      if (target === null && isFolder(expected)) return;
      result.failed.push({ path, fault: faultOf(error) });
    }
  }
}

/** Deepest first what goes or makes room for another kind, then folders before what is in them, then all else. */
function inOrder(wanted: readonly PlannedFile[]): Record<"gone" | "folders" | "contents", PlannedFile[]> {
  const sorted = [...wanted].sort((a, b) => (a.path < b.path ? -1 : 1));
  const changesKind = ({ current, target }: PlannedFile): boolean =>
    current !== null && isFolder(current) !== isFolder(target);
  return {
    gone: sorted.filter((file) => file.target === null || changesKind(file)).reverse(),
    folders: sorted.filter(({ target }) => isFolder(target)),
    contents: sorted.filter(({ target }) => target !== null && !isFolder(target)),
  };
}

function writable(state: FileState): FileState {
  if (typeof state !== "object" || state?.mode === undefined) return state;
  return { ...state, mode: state.mode | 0o700 };
}
