/** Putting files back: first what that would do, then doing it, file by file. */
import { messageOf } from "../errors.ts";
import { type Change, netChanges } from "./checkpoints-history.ts";
import { type FileChange, sameState } from "./checkpoints-records.ts";
import type { CheckpointSession } from "./checkpoints-session.ts";
import { type CheckpointStore, inParallel } from "./checkpoints-store.ts";
import {
  type CheckpointDeps,
  fileLimit,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
} from "./checkpoints-types.ts";

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
    const changes = wanted.map(({ path, current, target }) => ({ path, before: current, after: target }));
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
