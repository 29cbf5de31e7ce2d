/** The changes of one session in order, and what follows from them: which files changed since when, and from what. */
import { dirname } from "node:path";
import {
  type CheckpointRecord,
  type FileChange,
  type FileState,
  isFolder,
  type Kept,
  sameState,
  type Uncovered,
} from "./change-records.ts";

export interface Change {
  id: string;
  /** When it began. */
  at: string;
  kind: "edit" | "command" | "background" | "restore" | "undo";
  /** The row under which it is shown. */
  place: string;
  files: FileChange[];
  /** False: it is under way, or a crash came in between; then each file is as before it or as after it. */
  finished: boolean;
  left: number;
  uncovered?: Uncovered;
  undoes?: string;
  to?: string;
  kept?: Kept;
}

type Step = { t: "mark"; id: string } | { t: "change"; change: Change };

/** One file from a moment until the last change of it. */
export interface NetChange {
  path: string;
  before: FileState;
  /** What it may be now if nobody else changed it; undefined: a change that a crash interrupted did not say. */
  after: (FileState | undefined)[];
  /** The outermost folder that the first change made for it. */
  made?: string;
}

export class CheckpointHistory {
  readonly steps: Step[] = [];
  readonly #changes = new Map<string, Change>();
  /** After each step: the changes that are taken back. */
  readonly #takenBack: ReadonlySet<string>[] = [];

  static of(records: readonly CheckpointRecord[]): CheckpointHistory {
    const history = new CheckpointHistory();
    for (const record of records) history.add(record);
    return history;
  }

  add(record: CheckpointRecord): void {
    if (record.t === "mark") {
      this.#push({ t: "mark", id: record.id });
      return;
    }
    const known = this.#changes.get(record.id);
    if (record.t === "end") {
      if (!known) return;
      known.files = record.files;
      known.finished = true;
      known.left = record.left ?? 0;
      if (record.uncovered) known.uncovered = record.uncovered;
      return;
    }
    const { id, at, kind, place, files, undoes, to, kept } = record;
    const change: Change = {
      ...{ id, at, kind, place, files, finished: false, left: 0 },
      ...(undoes === undefined ? {} : { undoes }),
      ...(to === undefined ? {} : { to }),
      ...(kept ? { kept } : {}),
    };
    this.#changes.set(id, change);
    this.#push({ t: "change", change });
  }

  #push(step: Step): void {
    this.steps.push(step);
    const before = this.#takenBack.at(-1) ?? new Set();
    const { undoes, to } = step.t === "change" ? step.change : {};
    if (undoes !== undefined) this.#takenBack.push(new Set([...before, undoes]));
    else if (to !== undefined) this.#takenBack.push(this.#before(to));
    else this.#takenBack.push(before);
  }

  /** What is taken back once everything is as it was before that step. */
  #before(id: string): ReadonlySet<string> {
    const at = this.#indexOf(id);
    if (at < 0) return new Set();
    const later = this.#changesIn(at, this.steps.length - 1).map((change) => change.id);
    return new Set([...(this.#takenBack[at - 1] ?? []), ...later]);
  }

  #indexOf(id: string): number {
    return this.steps.findIndex((step) => (step.t === "mark" ? step.id : step.change.id) === id);
  }

  change(id: string): Change | undefined {
    return this.#changes.get(id);
  }

  /** Commands that a crash interrupted, of which it is known what they were about to destroy. */
  get interrupted(): { id: string; at: Date; kept: Kept }[] {
    return this.#changesIn(0, this.steps.length).flatMap(({ id, at, kept, finished }) =>
      kept && !finished ? [{ id, at: new Date(at), kept }] : [],
    );
  }

  /** Files that were about to be written when a crash came in between, one of each folder. */
  get cutOff(): string[] {
    const open = this.#changesIn(0, this.steps.length).filter((change) => !change.finished);
    const paths = open.flatMap(({ files }) => files.map(({ path }) => path));
    return [...new Map(paths.map((path) => [dirname(path), path])).values()];
  }

  /** The latest moment that a person's message marks. */
  get lastMark(): string | undefined {
    const step = this.steps.findLast((candidate) => candidate.t === "mark");
    return step?.t === "mark" ? step.id : undefined;
  }

  /** The changes from the message, or from and with the change, of that id on; undefined: there is none. */
  since(id: string): Change[] | undefined {
    const at = this.#indexOf(id);
    return at < 0 ? undefined : this.#changesIn(at, this.steps.length);
  }

  /** The changes between a message and the next one. */
  turn(mark: string): Change[] {
    const at = this.steps.findIndex((step) => step.t === "mark" && step.id === mark);
    if (at < 0) return [];
    const next = this.steps.findIndex((step, index) => index > at && step.t === "mark");
    return this.#changesIn(at, next < 0 ? this.steps.length : next);
  }

  /** The change was taken back, by itself or by a restore, and not brought again. */
  isTakenBack(id: string): boolean {
    return this.#takenBack.at(-1)?.has(id) ?? false;
  }

  /** The changes that this one took back, or brought again. */
  affectedBy(id: string): Change[] {
    const at = this.#indexOf(id);
    const before = this.#takenBack[at - 1] ?? new Set<string>();
    const after = this.#takenBack[at] ?? new Set<string>();
    const differing = [...before].filter((other) => !after.has(other));
    differing.push(...[...after].filter((other) => !before.has(other)));
    return differing.flatMap((other) => this.#changes.get(other) ?? []);
  }

  #changesIn(from: number, to: number): Change[] {
    return this.steps.slice(from, to).flatMap((step) => (step.t === "change" ? [step.change] : []));
  }
}

/** The changes one after the other as one for each file; files that are again what they were are left out. */
export function netChanges(changes: readonly Change[]): NetChange[] {
  const files = new Map<string, NetChange>();
  for (const { files: changed, finished } of changes) {
    for (const { path, before, after, made, mixed } of changed) {
      const known = files.get(path);
      // Going further back than that one change would lose what is not the agent's.
      const left = mixed && changes.length > 1 ? undefined : after;
      const now = finished ? [left] : [before, left];
      if (known) known.after = now;
      else files.set(path, { path, before, after: now, ...(made === undefined ? {} : { made }) });
    }
  }
  return [...files.values()].filter(({ before, after }) => !after.every((state) => sameState(state, before)));
}

/** Folders have no content to compare. */
export function withoutFolders(changes: readonly NetChange[]): NetChange[] {
  return changes.filter(({ before, after }) => ![before, ...after].some(isFolder));
}
