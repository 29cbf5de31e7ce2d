/** What a project needs of its host to import sessions of other agents. */
import type { FoundList, ImportReport } from "../../../shared/history/found-list.ts";
import type { SessionStore } from "../session-store.ts";

export interface ForeignImports {
  /** Looks for sessions. The list applies until the next call, or until `close`. */
  list(): Promise<FoundList>;
  /** `keys`: of the list; others are ignored. */
  import(
    keys: readonly string[],
    how: { store: SessionStore; mask: { current(): Promise<(text: string) => string> }; isDryRun: boolean },
  ): Promise<ImportReport>;
  close(): void;
}
