/** Putting files back: first what that would do, then doing it, file by file. */
import { messageOf } from "../errors.ts";
import { type Change, netChanges } from "./checkpoints-history.ts";
import { type FileChange, type FileState, sameState } from "./checkpoints-records.ts";
import type { CheckpointSession } from "./checkpoints-session.ts";
import { type CheckpointStore, inParallel } from "./checkpoints-store.ts";
import {
  type CheckpointDeps,
  fileLimit,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
} from "./checkpoints-types.ts";

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
      if (file.lost) result.failed.push({ path: file.path, reason: "its content is not kept" });
      else if (!sameState(current, file.current))
        result.failed.push({ path: file.path, reason: "it changed" });
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
    await inParallel(wanted, async ({ path, current, target }) => {
      try {
        if (!(await this.#store.has(current)))
          await this.#store.keep(await this.#d.files.read(path, fileLimit));
        const content = await this.#store.content(target);
        if (content === undefined) throw new Error("its content is not kept");
        await this.#d.files.put(path, content, async (found) =>
          sameState(await this.#store.describe(found), current),
        );
        result.restored.push(path);
      } catch (error) {
        result.failed.push({ path, reason: messageOf(error) });
      }
    });
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
}
