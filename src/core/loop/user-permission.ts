/** What the user lets run without asking in one session. Only the user's own request changes it. */
import type { EventBody } from "../../shared/event.ts";
import {
  changedPermission,
  NO_PERMISSION,
  type PermissionChange,
  type SessionPermission,
} from "../../shared/permission/session-permission.ts";

export interface PermissionDeps {
  /** Stores it with the session; does nothing for a session that is not on disk yet. */
  save(permission: SessionPermission): Promise<void>;
  emit(event: EventBody): void;
}

export class UserPermission {
  readonly #deps: PermissionDeps;
  #current: SessionPermission;

  constructor(deps: PermissionDeps, start: SessionPermission = NO_PERMISSION) {
    this.#deps = deps;
    this.#current = start;
  }

  get current(): SessionPermission {
    return this.#current;
  }

  /** Takes over the permission of the stored session. */
  loaded(permission: SessionPermission): void {
    this.#current = permission;
  }

  /** Applies from the next call on. Rejects, and changes nothing, if it cannot be stored. */
  async change(change: PermissionChange): Promise<void> {
    const permission = changedPermission(this.#current, change);
    await this.#deps.save(permission);
    this.#current = permission;
    this.emit();
  }

  emit(): void {
    this.#deps.emit({ type: "permission", permission: this.#current });
  }
}
