/**
 * Restores files: first plans what would change, then restores file by file. `changes.ts` has what a turn changed; where somebody changed
 * the same lines since, the host decides (`vscode/editor/changes-view.ts`, `cli/restore-commands.ts`).
 */
import { reasonOf } from "../../shared/reason.ts";
import { inParallel } from "../async.ts";
import { faultOf, ToolError } from "../errors.ts";
import { type FileChange, type FileState, isFolderState, sameState } from "./change-records.ts";
import { type Change, netChanges } from "./changes.ts";
import type { CheckpointJournal, CheckpointStore } from "./checkpoint-store.ts";
import {
  type CheckpointDeps,
  FILE_LIMIT,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
} from "./checkpoint-types.ts";

/** Maximum bytes of a file in which a single change is reverted. */
const REVERT_LIMIT = 5_000_000;

export class FileRestorer {
  readonly #deps: CheckpointDeps;
  readonly #store: CheckpointStore;

  constructor(deps: CheckpointDeps, store: CheckpointStore) {
    this.#deps = deps;
    this.#store = store;
  }

  /** Plans the restore to the state before these changes. Changes nothing. */
  async plan(changes: readonly Change[]): Promise<PlannedFile[]> {
    const planned: PlannedFile[] = [];
    await inParallel(netChanges(changes), async ({ path, before, after, made }) => {
      const current = await this.#store.describe(await this.#deps.files.read(path, FILE_LIMIT));
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

  /** Plans the undo of a single change. In a file that changed since, only this change is reverted. */
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

  /**
   * Returns the file's state after the undo; undefined if it is ambiguous. Its content is already stored for the
   * restore.
   */
  async #without(file: PlannedFile, after: FileState | undefined): Promise<FileState | undefined> {
    const { target: before, current } = file;
    const states = [before, after, current].map((state) => (typeof state === "object" ? state : undefined));
    const isOneKind = states.every((state) => state?.kind !== "link" && state?.kind === states[0]?.kind);
    if (!isOneKind || !states.every((state) => state && state.size <= REVERT_LIMIT)) return undefined;
    const now = await this.#deps.files.read(file.path, FILE_LIMIT);
    const [was, became] = await Promise.all([
      this.#store.content(before),
      this.#store.content(after ?? null),
    ]);
    if (!was || !became || now === null || typeof now !== "object") return undefined;
    if (!sameState(await this.#store.describe(now), current)) return undefined;
    const bytes = this.#deps.revertChange?.(was.bytes, became.bytes, now.bytes);
    return bytes && this.#store.keep({ kind: now.kind, bytes });
  }

  /** Stores the replaced contents first. Calls `ended` when everything is done. */
  async run(
    journal: CheckpointJournal,
    plan: RestorePlan,
    files: readonly PlannedFile[],
    place: string,
    ended: (id: string, files: FileChange[]) => Promise<void>,
  ): Promise<RestoreResult> {
    const result: RestoreResult = { restored: [], failed: [] };
    const restorable: PlannedFile[] = [];
    await inParallel(files, async (file) => {
      const now = await this.#deps.files.read(file.path, FILE_LIMIT);
      const current = await this.#store.keep(now);
      if (file.lost) result.failed.push({ path: file.path, fault: reasonOf("content-not-kept") });
      else if (!sameState(current, file.current))
        result.failed.push({ path: file.path, fault: reasonOf("file-changed") });
      else restorable.push(file);
    });
    if (restorable.length === 0) return result;
    const id = this.#deps.newId();
    const changes = restorable.map(({ path, current, target, mixed }) => ({
      path,
      before: current,
      after: target,
      ...(mixed ? { mixed } : {}),
    }));
    await journal.write(
      {
        t: "begin",
        id,
        at: this.#deps.clock.now().toISOString(),
        kind: plan.undoes === undefined ? "restore" : "undo",
        place,
        files: changes,
        ...(plan.undoes === undefined ? { to: plan.id } : { undoes: plan.undoes }),
      },
      [],
    );
    const put = (file: PlannedFile, target: FileState, expected: FileState): Promise<void> =>
      this.#put(file.path, target, expected, result);
    const { gone, folders, contents } = sortedForRestore(restorable);
    await inParallel(
      gone.filter(({ current }) => !isFolderState(current)),
      (file) => put(file, null, file.current),
    );
    for (const file of gone) if (isFolderState(file.current)) await put(file, null, file.current);
    const removed = new Set(gone);
    const expected = (file: PlannedFile): FileState => (removed.has(file) ? null : file.current);
    // A folder whose permissions forbid writing gets them only after its content is restored.
    for (const file of folders) await put(file, writable(file.target), expected(file));
    await inParallel(contents, (file) => put(file, file.target, expected(file)));
    for (const file of folders.reverse()) await put(file, file.target, writable(file.target));
    const failed = new Set(result.failed.map(({ path }) => path));
    result.restored.push(...restorable.flatMap(({ path }) => (failed.has(path) ? [] : [path])));
    const done = new Set(result.restored);
    for (const { path, target, made } of restorable) {
      if (target === null && made !== undefined && done.has(path)) await this.#deps.files.prune(path, made);
    }
    await ended(
      id,
      changes.filter(({ path }) => done.has(path)),
    );
    return { ...result, id };
  }

  /** Stores the current content first, and records a failure. */
  async #put(path: string, target: FileState, expected: FileState, result: RestoreResult): Promise<void> {
    if (result.failed.some((failure) => failure.path === path)) return;
    try {
      if (!(await this.#store.has(expected)))
        await this.#store.keep(await this.#deps.files.read(path, FILE_LIMIT));
      const content = await this.#store.content(target);
      if (content === undefined) throw new ToolError("its content is not kept", reasonOf("content-not-kept"));
      await this.#deps.files.put(path, content, async (now) =>
        sameState(await this.#store.describe(now), expected),
      );
    } catch (error) {
      // A folder that contains other files stays.
      if (target === null && isFolderState(expected)) return;
      result.failed.push({ path, fault: faultOf(error) });
    }
  }
}

/**
 * Sorts for the restore: first, deepest first, what is removed or replaced by another kind; then folders before their
 * content; then everything else.
 */
function sortedForRestore(
  files: readonly PlannedFile[],
): Record<"gone" | "folders" | "contents", PlannedFile[]> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const changesKind = ({ current, target }: PlannedFile): boolean =>
    current !== null && isFolderState(current) !== isFolderState(target);
  return {
    gone: sorted.filter((file) => file.target === null || changesKind(file)).reverse(),
    folders: sorted.filter(({ target }) => isFolderState(target)),
    contents: sorted.filter(({ target }) => target !== null && !isFolderState(target)),
  };
}

function writable(state: FileState): FileState {
  if (typeof state !== "object" || state?.mode === undefined) return state;
  return { ...state, mode: state.mode | 0o700 };
}
