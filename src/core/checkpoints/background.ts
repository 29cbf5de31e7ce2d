/**
 * Records what commands change after they moved to the background. Nothing reports when they change files, so the
 * folders are compared at certain moments: at the user's next message, before the next command, and when the user wants
 * to restore. Changes that the user made meanwhile look the same, so such files are never restored without
 * confirmation.
 */

import type { FileChange } from "./change-records.ts";
import type { CheckpointJournal } from "./checkpoint-store.ts";
import type { CheckpointDeps } from "./checkpoint-types.ts";
import type { CallRecording, FolderSnapshot } from "./recording.ts";

interface WatchedFolders {
  /** The call whose command was the last to end or to move to the background. */
  callId: string;
  since: FolderSnapshot;
  /** Number of the session's changes so far; later ones are recorded separately. */
  steps: number;
}

export class Background {
  readonly #deps: CheckpointDeps;
  readonly #recording: CallRecording;
  #watched: WatchedFolders | undefined;

  constructor(deps: CheckpointDeps, recording: CallRecording) {
    this.#deps = deps;
    this.#recording = recording;
  }

  /** Called when a command ended or moved to the background; the folders are as in `since`. */
  began(journal: CheckpointJournal, callId: string, since: FolderSnapshot): void {
    const steps = journal.history.steps.length;
    this.#watched = this.#deps.hasBackground?.() ? { callId, since, steps } : undefined;
  }

  /** Returns true if something was recorded. Never rejects. */
  async recordChanges(journal: CheckpointJournal): Promise<boolean> {
    const watched = this.#watched;
    if (!watched) return false;
    try {
      // Read first, so that a command that ends during the comparison is compared once more.
      const stillRunning = this.#deps.hasBackground?.() ?? false;
      const changes = await this.#recording.since(journal, watched.since);
      if (!changes?.after) return false;
      const known = new Set<string>();
      for (const step of journal.history.steps.slice(watched.steps)) {
        if (step.t === "change") for (const { path } of step.change.files) known.add(path);
      }
      const files = changes.files.filter(({ path }) => !known.has(path));
      this.#watched = stillRunning
        ? { callId: watched.callId, since: changes.after, steps: journal.history.steps.length }
        : undefined;
      if (files.length === 0) return false;
      await this.#write(journal, watched.callId, files);
      return true;
    } catch (error) {
      this.#deps.log.error("what a command changed in the background is not known", error);
      return false;
    }
  }

  async #write(journal: CheckpointJournal, place: string, changes: readonly FileChange[]): Promise<void> {
    const id = this.#deps.newId();
    const at = this.#deps.clock.now().toISOString();
    // The records have no `after`, so no state counts as written by the agent.
    const files = changes.map(({ path, before }) => ({ path, before }));
    await journal.write({ t: "begin", id, at, kind: "background", place, files });
    await journal.write({ t: "end", id, at, files });
  }
}
