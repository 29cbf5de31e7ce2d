/** Records which task of the project last wrote each file, so that the result of a stale edit can name that task. */

interface Written {
  session: string;
  /** The task's title when it wrote. */
  title: string;
  /** Counts the writes of all tasks. */
  at: number;
}

export class FileWriters {
  readonly #last = new Map<string, Written>();
  #writes = 0;

  /** The writers as one task sees them. `title`: its own. */
  of(session: string, title: () => string): TaskWriters {
    return {
      mark: () => this.#writes,
      wrote: (path) => {
        this.#last.set(path, { session, title: title(), at: ++this.#writes });
      },
      other: (path, since = 0) => {
        const last = this.#last.get(path);
        return last && last.session !== session && last.at > since ? last.title : undefined;
      },
    };
  }
}

export interface TaskWriters {
  /** A point in time, for `other`. */
  mark(): number;
  /** This task wrote, moved or deleted the file at this absolute path. */
  wrote(path: string): void;
  /** The title of another task that was the last one to write the file, after `since`; undefined: none was. */
  other(path: string, since?: number): string | undefined;
}
