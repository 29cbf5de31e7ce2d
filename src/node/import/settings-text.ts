/** Reads configuration files of other agents: only regular files of a bounded size, never through a link, and never changed. */
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import path from "node:path";
import { getNodeValue } from "jsonc-parser";
import { readYamlFile } from "../../core/instructions/front-matter.ts";
import { isInside } from "../../core/roots.ts";
import { readConfigText } from "../../core/servers/config/config-text.ts";
import { type Fields, fieldsSchema, jsonOf } from "../../core/sessions/import/values.ts";
import { codeOf, isMissing } from "../files/fs-errors.ts";
import type { FindProblem } from "./found-session.ts";

/** Bytes of the largest file that is read. */
const LARGEST = 2 * 1024 * 1024;
/** Bytes of the largest file in YAML, whose parser is slow. */
const LARGEST_YAML = 512 * 1024;

export interface SettingsReading {
  problems: FindProblem[];
  /** The folder that the file must really be in. */
  within?: string;
  largest?: number;
}

/** undefined: there is no such file, or it was not read, which is a problem then. */
export async function settingsText(
  file: string,
  { problems, within, largest = LARGEST }: SettingsReading,
): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    if (within !== undefined && !isInside(await realpath(within), await realpath(path.dirname(file)))) {
      problems.push({ path: file, code: "link" });
      return undefined;
    }
    // A pipe would wait for somebody who writes. Windows has neither flag.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    handle = await open(file, flags);
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    if (stats.size > largest) {
      problems.push({ path: file, code: "too-large" });
      return undefined;
    }
    return (await handle.readFile("utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    if (!isMissing(error))
      problems.push({ path: file, code: codeOf(error) === "ELOOP" ? "link" : "unreadable" });
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** The fields of a file in JSON, where comments and trailing commas are allowed. */
export async function jsonSettings(file: string, reading: SettingsReading): Promise<Fields | undefined> {
  const text = await settingsText(file, reading);
  if (text === undefined || text.trim() === "") return undefined;
  const fields = fieldsSchema.safeParse(jsonOf(text) ?? jsonWithComments(text)).data;
  if (!fields) reading.problems.push({ path: file, code: "unreadable" });
  return fields;
}

function jsonWithComments(text: string): unknown {
  const { root } = readConfigText(text);
  // A plain object: the parser's has no prototype.
  return root && JSON.parse(JSON.stringify(getNodeValue(root)));
}

export async function yamlSettings(file: string, reading: SettingsReading): Promise<Fields | undefined> {
  const text = await settingsText(file, { ...reading, largest: LARGEST_YAML });
  if (text === undefined) return undefined;
  const read = await readYamlFile(text);
  if ("fields" in read) return read.fields;
  reading.problems.push({ path: file, code: "unreadable" });
  return undefined;
}
