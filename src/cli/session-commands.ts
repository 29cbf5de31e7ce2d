/** The project's last sessions, to continue one of them by its number. */
import type { Project } from "../core/agent/project.ts";
import type { Session } from "../core/agent/session.ts";
import type { SessionSummary } from "../shared/protocol.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { oneLine } from "./screen.ts";

/** Sessions that are offered at the start. */
const FEW = 5;
const MANY = 20;

export interface SessionCommandsDeps {
  project: Pick<Project, "history">;
  view: { readonly active: Pick<Session, "id"> };
  /** Opens a session. Resolves with false if it stays open in another process. */
  open(id: string): Promise<boolean>;
  t: Translate;
  say(text: string): void;
}

export class SessionCommands {
  readonly #deps: SessionCommandsDeps;
  #shown: readonly SessionSummary[] = [];

  constructor(deps: SessionCommandsDeps) {
    this.#deps = deps;
  }

  /** Lists the last sessions before the first message. Resolves with false if there are none. */
  async offer(): Promise<boolean> {
    // Sessions of subtasks are left out, because they would displace the user's own sessions.
    await this.#list(FEW, ({ parent }) => parent?.title === undefined);
    if (this.#shown.length === 0) return false;
    const { say, t } = this.#deps;
    say(`${t("Press Enter for a new task, type a number to continue a session, or type your task.")}\n`);
    return true;
  }

  /** `/sessions`: lists the last sessions, or continues one by its number. */
  async run(wanted: string): Promise<void> {
    const { say, t } = this.#deps;
    if (wanted === "") {
      await this.#list(MANY);
      if (this.#shown.length === 0) say(`${t("This project has no sessions.")}\n`);
      return;
    }
    if (this.#shown.length === 0) await this.#list(MANY);
    if (!(await this.open(wanted))) say(`${t("There is no session {0}.", oneLine(wanted))}\n`);
  }

  /** Continues a session by its number. Resolves with false if no session has that number. */
  async open(wanted: string): Promise<boolean> {
    const session = /^\d+$/.test(wanted) ? this.#shown[Number(wanted) - 1] : undefined;
    if (!session) return false;
    await this.#deps.open(session.id);
    return true;
  }

  async #list(most: number, isWanted: (session: SessionSummary) => boolean = () => true): Promise<void> {
    const { project, view, say } = this.#deps;
    const all = await project.history();
    const others = all.filter(({ id }) => id !== view.active.id);
    this.#shown = others.filter(isWanted).slice(0, most);
    this.#shown.forEach(({ title, updatedAt }, index) => {
      const when = updatedAt.slice(0, 16).replace("T", " ");
      say(`${String(index + 1).padStart(3)}. ${when}  ${oneLine(title)}\n`);
    });
  }
}
