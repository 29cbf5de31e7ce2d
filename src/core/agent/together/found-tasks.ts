/** The tasks of the last window that were not over, besides the one that is shown. */
import type { Mode } from "../../../shared/message.ts";
import type { TranscriptStart } from "../../loop/transcript-start.ts";
import type { Host } from "../../ports/host.ts";
import type { Session } from "../session.ts";
import type { KeptWork, OpenSessions } from "./open-sessions.ts";

export interface FoundTasksDeps {
  host: Pick<Host, "log" | "newId">;
  sessions: Pick<OpenSessions, "find" | "opening" | "reopen">;
  create(start: TranscriptStart): Session;
  /** How a stored session is created again. */
  stored(id: string, mode: Mode): Promise<TranscriptStart>;
}

export class FoundTasks {
  readonly #deps: FoundTasksDeps;
  #opening: Promise<void> | undefined;
  #isOver = false;

  constructor(deps: FoundTasksDeps) {
    this.#deps = deps;
  }

  /** Loads sessions in the background, one after the other, so that the user can switch in between. `kept`: what the host kept of one. */
  open(ids: readonly string[], kept: (id: string) => KeptWork): void {
    const { log } = this.#deps.host;
    this.#opening = this.#open(ids, kept).catch((error: unknown) =>
      log.error("the other open tasks were not found", error),
    );
  }

  /** No more sessions are loaded; resolves when none is. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#opening;
  }

  async #open(ids: readonly string[], kept: (id: string) => KeptWork): Promise<void> {
    const { host, sessions, create, stored } = this.#deps;
    for (const id of ids) {
      if (this.#isOver) return;
      const keptWork = () => {
        const { queued = [], seen = false } = kept(id);
        return { queued: queued.map((message) => ({ ...message, id: host.newId() })), seen };
      };
      const find = async () => {
        if (this.#isOver) return;
        const open = sessions.find(id);
        // A seat was faster.
        if (open) open.queue.putBack(keptWork().queued);
        else await sessions.reopen(create(await stored(id, "act")), keptWork);
      };
      await sessions.opening
        .run(find)
        // One that cannot be read does not hide the others; its history entry says more.
        .catch((error: unknown) => host.log.error(`task ${id} was not reopened`, error));
    }
  }
}
