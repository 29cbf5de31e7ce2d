/** What every part of a session that asks a model needs. */
import type { Connection } from "../../shared/models/connection.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ModelProfiles } from "./model-profile.ts";

export interface ModelAccess {
  /** As they are now: another object once they change. */
  settings(): Settings;
  /** The key of a connection; undefined: it has none. */
  apiKey(connection: Connection): Promise<string | undefined>;
  /** What is known about models, shared by the host's sessions. */
  profiles: ModelProfiles;
}
