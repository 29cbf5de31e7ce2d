/** Where the settings of other agents may be. */
import type { UserPlaces } from "./editor-storages.ts";

export interface SettingsPlaces extends UserPlaces {
  /** The folder of the project; undefined: there is none, or the user does not trust it. */
  projectRoot: string | undefined;
}
