/**
 * What commands change after they went on in the background. Nobody tells when, so the folders are compared when it is
 * asked: at the person's next message, before the next command, and when somebody wants to go back. What the person
 * changed meanwhile looks the same, so such files are never put back unasked.
 */

import type { FileChange } from "./change-records.ts";
import type { CheckpointDeps } from "./checkpoint-types.ts";
import type { Recording, Taken } from "./recording.ts";
import type { CheckpointSession } from "./session-changes.ts";

interface Watched {
  /** The call whose command was the last to end, or to go on. */
  callId: string;
  since: Taken;
  /** Changes of the session so far: later ones are known by themselves. */
  steps: number;
}

export class Background {
  readonly #d: CheckpointDeps;
  readonly #recording: Recording;
  #watched: Watched | undefined;

  constructor(deps: CheckpointDeps, recording: Recording) {
    this.#d = deps;
    this.#recording = recording;
  }

  /** A command has ended or goes on; the folders are as in `since`. */
  began(session: CheckpointSession, callId: string, since: Taken): void {
    const steps = session.history.steps.length;
    this.#watched = this.#d.hasBackground?.() ? { callId, since, steps } : undefined;
  }

  forget(): void {
    this.#watched = undefined;
  }

  /** True: something was written down. Never rejects. */
  async look(session: CheckpointSession): Promise<boolean> {
    const watched = this.#watched;
    if (!watched) return false;
    try {
      // Asked first: what ends during the comparison is compared once more.
      const goesOn = this.#d.hasBackground?.() ?? false;
      const found = await this.#recording.since(watched.since);
      if (!found?.after) return false;
      const known = new Set<string>();
      for (const step of session.history.steps.slice(watched.steps)) {
        if (step.t === "change") for (const { path } of step.change.files) known.add(path);
      }
      const files = found.files.filter(({ path }) => !known.has(path));
      this.#watched = goesOn
        ? { callId: watched.callId, since: found.after, steps: session.history.steps.length }
        : undefined;
      if (files.length === 0) return false;
      await this.#write(session, watched.callId, files);
      return true;
    } catch (error) {
      this.#d.log.error("what a command changed in the background is not known", error);
      return false;
    }
  }

  async #write(session: CheckpointSession, place: string, found: readonly FileChange[]): Promise<void> {
    const id = this.#d.newId();
    const at = this.#d.clock.now().toISOString();
    // Without `after` nothing is taken for what the agent left.
    const files = found.map(({ path, before }) => ({ path, before }));
    await session.write({ t: "begin", id, at, kind: "background", place, files });
    await session.write({ t: "end", id, at, files });
  }
}
