/** What may run without asking at most, where the administrator limits it. */
import { type AccessClass, type AccessSettings, LEVEL_ACCESS, type Level } from "./levels.ts";

/** The classes of a level without some. A class that includes what another one allows goes with it. */
export function accessAtMost(highest: Level, without: readonly AccessClass[]): AccessSettings {
  const may = { ...LEVEL_ACCESS[highest] };
  for (const name of without) may[name] = false;
  may.readOutside &&= may.read;
  may.editOutside &&= may.edit;
  may.commandRead &&= may.read;
  may.commandSafe &&= may.commandRead;
  may.commandAll &&= may.commandSafe;
  return may;
}
