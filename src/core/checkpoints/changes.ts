/**
 * The ordered changes of one session, and what follows from them: which files changed since a moment, and from which
 * state.
 */
import { dirname } from "node:path";
import {
  type BackupRecord,
  type CheckpointRecord,
  type FileChange,
  type FileState,
  isFolderState,
  sameState,
  type Uncovered,
} from "./change-records.ts";
import { CheckpointError } from "./checkpoint-types.ts";

export interface Change {
  id: string;
  /** When the change began. */
  at: string;
  kind: "edit" | "command" | "background" | "restore" | "undo";
  /** The row that shows the change. */
  place: string;
  files: FileChange[];
  /**
   * False: the change is in progress or a crash interrupted it; then each file is in its state before or after the
   * change.
   */
  finished: boolean;
  left: number;
  uncovered?: Uncovered;
  undoes?: string;
  to?: string;
  kept?: BackupRecord;
}

type Step = { t: "mark"; id: string } | { t: "change"; change: Change };

/** The combined change of one file from a moment to its last change. */
export interface NetChange {
  path: string;
  before: FileState;
  /**
   * Possible current states if nobody else changed the file; undefined: an interrupted change did not record its
   * result.
   */
  after: (FileState | undefined)[];
  /** The outermost folder that the first change created for it. */
  made?: string;
}

export class CheckpointHistory {
  readonly steps: Step[] = [];
  readonly #changes = new Map<string, Change>();
  readonly #keptTurns = new Set<string>();
  /** The set of reverted changes after each step. */
  readonly #reverted: ReadonlySet<string>[] = [];

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
    if (record.t === "keep") {
      this.#keptTurns.add(record.id);
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
      id,
      at,
      kind,
      place,
      files,
      finished: false,
      left: 0,
      ...(undoes === undefined ? {} : { undoes }),
      ...(to === undefined ? {} : { to }),
      ...(kept ? { kept } : {}),
    };
    this.#changes.set(id, change);
    this.#push({ t: "change", change });
  }

  #push(step: Step): void {
    this.steps.push(step);
    const before = this.#reverted.at(-1) ?? new Set();
    const { undoes, to } = step.t === "change" ? step.change : {};
    if (undoes !== undefined) this.#reverted.push(new Set([...before, undoes]));
    else if (to !== undefined) this.#reverted.push(this.#before(to));
    else this.#reverted.push(before);
  }

  /** Returns the changes that are reverted once the state before that step is restored. */
  #before(id: string): ReadonlySet<string> {
    const at = this.#indexOf(id);
    if (at < 0) return new Set();
    const later = this.#changesIn(at, this.steps.length - 1).map((change) => change.id);
    return new Set([...(this.#reverted[at - 1] ?? []), ...later]);
  }

  #indexOf(id: string): number {
    return this.steps.findIndex((step) => (step.t === "mark" ? step.id : step.change.id) === id);
  }

  change(id: string): Change | undefined {
    return this.#changes.get(id);
  }

  /** Commands that a crash interrupted and whose possible destruction is known. */
  get interrupted(): { id: string; at: Date; kept: BackupRecord }[] {
    return this.#changesIn(0, this.steps.length).flatMap(({ id, at, kept, finished }) =>
      kept && !finished ? [{ id, at: new Date(at), kept }] : [],
    );
  }

  /** Files that were about to be written when a crash happened, one per folder. */
  get interruptedWrites(): string[] {
    const open = this.#changesIn(0, this.steps.length).filter((change) => !change.finished);
    const paths = open.flatMap(({ files }) => files.map(({ path }) => path));
    return [...new Map(paths.map((path) => [dirname(path), path])).values()];
  }

  /** The last user message. */
  get lastMark(): string | undefined {
    const step = this.steps.findLast((candidate) => candidate.t === "mark");
    return step?.t === "mark" ? step.id : undefined;
  }

  /**
   * Returns the changes after the message with that id, or from the change with that id on; undefined if there is none.
   */
  since(id: string): Change[] | undefined {
    const at = this.#indexOf(id);
    return at < 0 ? undefined : this.#changesIn(at, this.steps.length);
  }

  /** Returns the changes between a message and the next one, and the undos of parts of them, which may be later. */
  turn(mark: string): Change[] {
    const at = this.steps.findIndex((step) => step.t === "mark" && step.id === mark);
    if (at < 0) return [];
    const next = this.steps.findIndex((step, index) => index > at && step.t === "mark");
    const end = next < 0 ? this.steps.length : next;
    const own = partUndo(mark);
    return [
      ...this.#changesIn(at, end).filter((change) => !isPartUndo(change) || change.undoes === own),
      ...this.#changesIn(end, this.steps.length).filter(({ undoes }) => undoes === own),
    ];
  }

  /** Whether the user keeps what the turn of that user message changed. */
  isKept(mark: string): boolean {
    return this.#keptTurns.has(mark);
  }

  /** Whether the change was reverted, by its own undo or by a restore, and not reapplied. */
  isReverted(id: string): boolean {
    return this.#reverted.at(-1)?.has(id) ?? false;
  }

  /** Whether the user undid all that the turn of that user message changed. */
  isTurnUndone(mark: string): boolean {
    const turn = this.turn(mark);
    const own = turn.filter(({ kind }) => kind !== "restore" && kind !== "undo");
    if (netChanges(own).length === 0) return false;
    if (own.every(({ id, files }) => files.length === 0 || this.isReverted(id))) return true;
    const parts = turn.filter((change) => isPartUndo(change) && !this.isReverted(change.id));
    const left = netChanges([...own, ...parts]);
    const undoes = turnUndo(mark);
    // Each of these undos may have reverted only a part of the files, and kept later changes in them.
    const undone = this.#changesIn(0, this.steps.length)
      .filter((change) => change.undoes === undoes && !this.isReverted(change.id))
      .flatMap(({ files }) => files.map(({ path }) => path));
    return left.every(({ path }) => undone.includes(path));
  }

  /** Returns the changes that this one reverted or reapplied. */
  affectedBy(id: string): Change[] {
    const at = this.#indexOf(id);
    const before = this.#reverted[at - 1] ?? new Set<string>();
    const after = this.#reverted[at] ?? new Set<string>();
    const differing = [...before].filter((other) => !after.has(other));
    differing.push(...[...after].filter((other) => !before.has(other)));
    return differing.flatMap((other) => this.#changes.get(other) ?? []);
  }

  #changesIn(from: number, to: number): Change[] {
    return this.steps.slice(from, to).flatMap((step) => (step.t === "change" ? [step.change] : []));
  }
}

/** The id that an undo of a whole turn refers to. */
export const turnUndo = (mark: string): string => `turn ${mark}`;

const PART = "part of ";

/** The id that an undo of a part of a turn's change refers to. */
export const partUndo = (mark: string): string => `${PART}${turnUndo(mark)}`;

const isPartUndo = ({ undoes }: Change): boolean => undoes?.startsWith(PART) ?? false;

/** Combines consecutive changes into one per file; omits files that are in their original state again. */
export function netChanges(changes: readonly Change[]): NetChange[] {
  const files = new Map<string, NetChange>();
  const isOnly = changes.length === 1;
  for (const { files: changed, finished } of changes) {
    for (const file of changed) {
      const { path, before, made } = file;
      const after = statesAfter(file, { finished, isOnly });
      const known = files.get(path);
      if (known) known.after = after;
      else files.set(path, { path, before, after, ...(made === undefined ? {} : { made }) });
    }
  }
  return [...files.values()].filter(({ before, after }) => !after.every((state) => sameState(state, before)));
}

/** The possible states of a file after a change. `isOnly`: it is not combined with other changes. */
function statesAfter(
  { before, after, mixed, rest }: FileChange,
  { finished, isOnly }: { finished: boolean; isOnly: boolean },
): NetChange["after"] {
  // What the user changed elsewhere in the file is not part of the turn's change.
  if (rest !== undefined && !isOnly) return [rest];
  // Restoring a state before this change would lose changes that the agent did not make.
  const state = mixed && !isOnly ? undefined : after;
  return finished ? [state] : [before, state];
}

/** Combines what changed between a message and the next one into one change. Throws if there is no such message. */
export function turnChange(history: CheckpointHistory, mark: string): Change {
  const changes = history.turn(mark);
  if (changes.length === 0) throw new CheckpointError("unknown");
  const files = netChanges(changes).map(({ path, before, after, made }): FileChange => {
    const last = after.at(-1);
    return {
      path,
      before,
      ...(last === undefined ? {} : { after: last }),
      ...(made === undefined ? {} : { made }),
    };
  });
  return { id: mark, at: "", kind: "edit", place: mark, files, finished: true, left: 0 };
}

/** Omits folders, which have no content to compare. */
export function withoutFolders(changes: readonly NetChange[]): NetChange[] {
  return changes.filter(({ before, after }) => ![before, ...after].some(isFolderState));
}
