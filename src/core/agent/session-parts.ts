/** What a session needs of its host and its project. */

import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import type { KeyMask } from "../key-mask.ts";
import type { Host } from "../ports/host.ts";
import type { ModelAccess } from "../provider/model-access.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { DailySpending } from "./daily-spending.ts";

export interface SessionParts extends ModelAccess {
  host: Host;
  store: SessionStore;
  registry: ToolRegistry;
  keys: KeyMask;
  /** The project's MCP servers. Default: none. */
  servers?: ProjectServers;
  /** The project's checkpoints. Default: changes cannot be undone. */
  checkpoints?: Checkpoints;
  /** What requests cost today on this machine. Default: not counted. */
  spending?: DailySpending;
  /** Stores an allow list entry that the user chose; without it, that choice is not offered. */
  allowCommand?(prefix: string): Promise<void>;
  /**
   * The user who opens a session has just given the settings, so they decide on a call that waited in it. Default: such a
   * call asks again, whatever the settings allow.
   */
  settingsAreFresh?: boolean;
}
