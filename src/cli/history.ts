/** What is done with sessions from the command line, without a task. */
import { readFile, stat } from "node:fs/promises";
import { ImportRefused, importLimit } from "../core/sessions/exchange.ts";
import type { Library } from "../core/task/library.ts";
import { importRefusalText } from "../shared/history-texts.ts";
import { historyQuerySchema, type SessionSummary } from "../shared/protocol.ts";
import type { Translate } from "../shared/texts.ts";
import { visible } from "../shared/visible.ts";
import { type Options, UsageError } from "./options.ts";

/** Sessions that are asked for at a time. */
const pageSize = 200;

/** A line for each session, in parts: the first ones are there before the last ones are found. */
export async function* listLines(library: Library, options: Options, t: Translate): AsyncGenerator<string> {
  const { search, json } = options;
  const sort = search === "" ? "newest" : "relevance";
  for (let offset = 0; ; offset += pageSize) {
    const query = historyQuerySchema.parse({ text: search, sort, offset, limit: pageSize });
    const { sessions, more } = await library.find(query);
    yield sessions.map((session) => (json ? `${JSON.stringify(session)}\n` : textLine(session, t))).join("");
    if (!more) return;
  }
}

/** A title or an excerpt may come from anywhere: what would steer the terminal is made visible. */
function textLine(session: SessionSummary, t: Translate): string {
  const when = session.updatedAt.slice(0, 16).replace("T", " ");
  const marks = [
    ...(session.favourite ? ["*"] : []),
    ...(session.forkOf ? [t("Branch of {0}", visible(session.forkOf.title ?? t("a deleted task")))] : []),
    ...(session.elsewhere ? [t("open in another window")] : []),
  ];
  const title = visible(session.title).replaceAll("\n", " ");
  const line = `${session.id}  ${when}  ${title}${marks.length > 0 ? `  (${marks.join(", ")})` : ""}\n`;
  return session.excerpt === undefined ? line : `${line}    ${visible(session.excerpt)}\n`;
}

export async function exported(library: Library, options: Options, t: Translate): Promise<string> {
  return (await library.export(options.exported, options.format, t)).text;
}

/** The id of the session that was taken in. */
export async function imported(library: Library, options: Options, t: Translate): Promise<string> {
  try {
    const found = await stat(options.imported).catch(() => undefined);
    if (!found?.isFile()) throw new UsageError(`--import takes a file; ${options.imported} is none`);
    if (found.size > importLimit) throw new ImportRefused("too-large");
    return await library.import(await readFile(options.imported));
  } catch (error) {
    if (error instanceof ImportRefused) throw new Error(importRefusalText(t, error.code, error.detail));
    throw error;
  }
}
