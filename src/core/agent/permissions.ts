/** What the user lets run without asking in the active session. */
import { type AccessSettings, accessSchema } from "../../shared/permission/levels.ts";
import { accessOf, type PermissionChange } from "../../shared/permission/session-permission.ts";
import type { Result } from "../../shared/protocol.ts";
import { permissionItems } from "../tools/set/permission-items.ts";
import type { Session } from "./session.ts";
import type { SessionParts } from "./session-parts.ts";

export type PermissionsDeps = Pick<SessionParts, "registry" | "servers" | "settings">;

export class SessionPermissions {
  readonly #deps: PermissionsDeps;
  readonly #sessions: { readonly active: Session; settled(): Promise<Session> };

  constructor(deps: PermissionsDeps, sessions: { readonly active: Session; settled(): Promise<Session> }) {
    this.#deps = deps;
    this.#sessions = sessions;
  }

  /** The classes that run without asking, apart from exceptions. */
  get access(): AccessSettings {
    const { current } = this.#sessions.active.transcript.permission;
    return accessOf(accessSchema.parse(this.#deps.settings().approval), current);
  }

  /** The tools and servers for which there can be exceptions. */
  get items(): Result<"permission/items"> {
    return permissionItems(this.#deps.registry, this.#deps.servers);
  }

  /** At the user's request; applies from the next call on. */
  async change(change: PermissionChange): Promise<void> {
    return (await this.#sessions.settled()).transcript.permission.change(change);
  }
}
