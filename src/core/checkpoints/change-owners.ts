/**
 * Tracks which session changed which file last, among all sessions that run concurrently in this process. Comparing the
 * folders before and after a command also shows changes by other sessions; those are not attributed to the command.
 */
import { type FileChange, type FileState, sameState } from "./change-records.ts";

/** A change in progress, and the files that it may touch. */
interface OpenChange {
  session: string;
  /** When it began. */
  tick: number;
  paths: ReadonlySet<string>;
}

interface LastChange {
  session: string;
  /** When it ended. */
  tick: number;
  /** When it began; undefined: it named no files beforehand, as a command. */
  begun: number | undefined;
  /** The state in which it left the file; undefined: unknown. */
  after: FileState | undefined;
}

/** Two moments (`ChangeOwners.now`), between which the states of files were compared. */
export interface Period {
  since: number;
  until: number;
}

export class ChangeOwners {
  readonly #open = new Set<OpenChange>();
  readonly #last = new Map<string, LastChange>();
  #tick = 0;

  /** The current moment, for `own`. */
  get now(): number {
    return this.#tick;
  }

  /** Called before a session writes these files. The caller then passes the state in which it left each file. */
  begin(session: string, paths: Iterable<string>): { end(files: readonly FileChange[]): void } {
    this.#tick += 1;
    const change = { session, tick: this.#tick, paths: new Set(paths) };
    this.#open.add(change);
    return {
      end: (files) => {
        this.#open.delete(change);
        this.ended(session, files, change.tick);
      },
    };
  }

  /** Records the files that a change of the session changed, once they are known. */
  ended(session: string, files: readonly FileChange[], begun?: number): void {
    this.#tick += 1;
    const tick = this.#tick;
    for (const { path, after } of files) this.#last.set(path, { session, tick, begun, after });
  }

  /**
   * Of the changes in that period, returns those that the session itself made, each from the state in which the session
   * found the file. Changes that other sessions began only after the period are not part of them.
   */
  own(session: string, { since, until }: Period, files: readonly FileChange[]): FileChange[] {
    return files.flatMap((file) => {
      if (this.#isOpenElsewhere(session, until, file.path)) return [];
      const other = this.#otherSince(session, since, file.path);
      if (!other) return [file];
      const { after, begun, tick } = other;
      // It is not known when a command began to change a file. If its state matches the one seen, the command changed it
      // before.
      const isLater = begun === undefined ? tick > until && !sameState(after, file.after) : begun > until;
      if (isLater) return [file];
      if (tick > until) return [];
      if (after === undefined || typeof after === "string" || sameState(after, file.after)) return [];
      return [{ ...file, before: after }];
    });
  }

  /** Whether another session changed that file in that period. */
  isOthers(session: string, { since, until }: Period, path: string): boolean {
    if (this.#isOpenElsewhere(session, until, path)) return true;
    const other = this.#otherSince(session, since, path);
    return other !== undefined && (other.begun ?? other.tick) <= until;
  }

  #isOpenElsewhere(session: string, until: number, path: string): boolean {
    return [...this.#open].some(
      (change) => change.session !== session && change.tick <= until && change.paths.has(path),
    );
  }

  #otherSince(session: string, since: number, path: string): LastChange | undefined {
    const last = this.#last.get(path);
    return last && last.session !== session && last.tick > since ? last : undefined;
  }
}
