/**
 * Files that a command in the sandbox made and that may instruct agents: rules, skills, commands, agents. No task gets them before the
 * user has continued the task whose row names them. In memory: the tasks of a project share one such list until the window or program
 * ends.
 */
import type { UnseenFiles } from "../ports/workspace.ts";
import { isInside } from "../roots.ts";

export class UnseenRules implements UnseenFiles {
  /** The sessions whose commands made them, by path. */
  readonly #sessions = new Map<string, string>();

  add(made: readonly string[], session: string): void {
    for (const path of made) this.#sessions.set(path, session);
  }

  seen(session: string): void {
    for (const [path, of] of this.#sessions) if (of === session) this.#sessions.delete(path);
  }

  use(path: string): void {
    for (const made of this.#sessions.keys()) if (isInside(made, path)) this.#sessions.delete(made);
  }

  includes(path: string): boolean {
    return [...this.#sessions.keys()].some((made) => isInside(made, path));
  }
}
