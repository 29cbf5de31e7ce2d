/**
 * Files that a command in the sandbox made and that may instruct agents. No task gets them as rules before the user has continued the
 * task whose row names them. In memory: the tasks of a project share one such list until the window or program ends.
 */
import { isInside } from "../roots.ts";

export class UnseenRules {
  /** The sessions whose commands made them, by path. */
  readonly #sessions = new Map<string, string>();

  /** `made`: files and folders, absolute. */
  add(made: readonly string[], session: string): void {
    for (const path of made) this.#sessions.set(path, session);
  }

  /** The user has seen what the rows of this session name. */
  seen(session: string): void {
    for (const [path, of] of this.#sessions) if (of === session) this.#sessions.delete(path);
  }

  /** The user turned this file on. */
  use(path: string): void {
    for (const made of this.#sessions.keys()) if (isInside(made, path)) this.#sessions.delete(made);
  }

  includes(path: string): boolean {
    return [...this.#sessions.keys()].some((made) => isInside(made, path));
  }
}
