/** The real path of a file, also on drives of Windows that cannot tell it. */
import { realpath as realpathByNames } from "node:fs";
import { promisify } from "node:util";
import { realpath } from "./direct-calls.ts";
import { codeOf } from "./fs-errors.ts";

const byNames = promisify(realpathByNames);

/** Codes of Windows for drives that do not know the names of their files, such as disks in memory. */
const NOT_TOLD = new Set(["UNKNOWN", "EISDIR", "EINVAL"]);

/**
 * As `realpath` of Node. Where Windows cannot tell the path, all links are followed name by name: the result may then differ from
 * the file's own name in upper and lower case. `system`: for tests.
 */
export async function resolveLinks(
  file: string,
  system: { platform: NodeJS.Platform; realpath(file: string): Promise<string> } = {
    platform: process.platform,
    realpath,
  },
): Promise<string> {
  try {
    return await system.realpath(file);
  } catch (error) {
    if (system.platform !== "win32" || !NOT_TOLD.has(codeOf(error) ?? "")) throw error;
    return byNames(file);
  }
}
