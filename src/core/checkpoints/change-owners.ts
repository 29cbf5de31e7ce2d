/**
 * Tracks which session changed which file last, among all sessions that run concurrently in this process. Comparing the
 * folders before and after a command also shows changes by other sessions; those are not attributed to the command.
 */
import { type FileChange, type FileState, sameState } from "./change-records.ts";

/** A change in progress, and the files that it may touch. */
interface OpenChange {
  session: string;
  paths: ReadonlySet<string>;
}

interface LastChange {
  session: string;
  /** When it ended. */
  tick: number;
  /** The state in which it left the file; undefined: unknown. */
  after: FileState | undefined;
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
    const change = { session, paths: new Set(paths) };
    this.#open.add(change);
    return {
      end: (files) => {
        this.#open.delete(change);
        this.ended(session, files);
      },
    };
  }

  /** Records what a change of the session turned out to have changed. */
  ended(session: string, files: readonly FileChange[]): void {
    this.#tick += 1;
    for (const { path, after } of files) this.#last.set(path, { session, tick: this.#tick, after });
  }

  /**
   * Of the changes since that moment, returns those that the session itself made, from the state in which it found each
   * file.
   */
  own(session: string, since: number, files: readonly FileChange[]): FileChange[] {
    return files.flatMap((file) => {
      if (this.#isOpenElsewhere(session, file.path)) return [];
      const other = this.#otherSince(session, since, file.path);
      if (!other) return [file];
      const { after } = other;
      if (after === undefined || typeof after === "string" || sameState(after, file.after)) return [];
      return [{ ...file, before: after }];
    });
  }

  /** Whether another session changed that file since that moment. */
  isOthers(session: string, since: number, path: string): boolean {
    return this.#isOpenElsewhere(session, path) || this.#otherSince(session, since, path) !== undefined;
  }

  #isOpenElsewhere(session: string, path: string): boolean {
    return [...this.#open].some((change) => change.session !== session && change.paths.has(path));
  }

  #otherSince(session: string, since: number, path: string): LastChange | undefined {
    const last = this.#last.get(path);
    return last && last.session !== session && last.tick > since ? last : undefined;
  }
}
