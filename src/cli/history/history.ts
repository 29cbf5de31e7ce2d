/** Session commands of the command line, which run without a task. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Library } from "../../core/agent/session-library.ts";
import { IMPORT_LIMIT, ImportRefused } from "../../core/sessions/exchange.ts";
import type { HistoryPage } from "../../core/sessions/search/session-list.ts";
import {
  type HistoryQuery,
  historyQuerySchema,
  type SessionSummary,
} from "../../shared/history/history-protocol.ts";
import { MOST_SEARCHED, movedProjects } from "../../shared/history/session-lists.ts";
import { visible } from "../../shared/visible.ts";
import { importRefusalText } from "../../shared/words/history-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { Options } from "../command-options.ts";
import { harmlessJson, jsonLine, oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";

/** Sessions requested per page. */
const PAGE_SIZE = 200;

/**
 * One line per session, as a stream: the first lines appear before the last ones are found. In text output, the sessions of
 * subtasks are indented below their parent's; in JSON, each session is a separate line in the requested order. `err`: writes a
 * hint if there are no sessions.
 */
export async function* listLines(
  library: Library,
  options: Options,
  t: Translate,
  err: (text: string) => void,
): AsyncGenerator<string> {
  const { search, json, favorites, allProjects } = options;
  const sort = options.sort ?? (search === "" ? "newest" : "relevance");
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const asked = { text: search, sort, favorites, allProjects, offset, limit: PAGE_SIZE };
    const query = historyQuerySchema.parse({ ...asked, grouped: !json });
    const { sessions, more } = await wholePage(library, query);
    yield sessions.map((session) => (json ? jsonLine(session) : textLines(session, t))).join("");
    const isEmpty = offset === 0 && sessions.length === 0 && search === "" && !favorites;
    if (isEmpty && !allProjects && !json) err(await movedSessionsText(library, t));
    if (!more) return;
  }
}

/** Waits for indexing, because a search during it returns only a part, which would look like the whole result. */
async function wholePage(library: Library, query: HistoryQuery): Promise<HistoryPage> {
  for (;;) {
    const page = await library.find(query);
    if (!page.indexing) return page;
  }
}

function textLines(session: SessionSummary, t: Translate): string {
  // The line above already shows their parent and project.
  const nested = (session.children ?? []).map(({ parent, project, ...child }) => textLine(child, t));
  return textLine(session, t) + nested.map((line) => `  ${line}`).join("");
}

/** A title or an excerpt may come from anywhere, so terminal control sequences are made visible. */
function textLine(session: SessionSummary, t: Translate): string {
  const when = session.updatedAt.slice(0, 16).replace("T", " ");
  const marks = [
    ...(session.favourite ? ["*"] : []),
    ...(session.forkOf ? [t("Branch of {0}", visible(session.forkOf.title ?? t("a deleted session")))] : []),
    ...(session.parent ? [t("Started by {0}", visible(session.parent.title ?? t("a deleted session")))] : []),
    ...(session.project ? [t("Project: {0}", visible(session.project.folder ?? session.project.name))] : []),
    ...(session.elsewhere ? [t("open in another window or terminal")] : []),
  ];
  const title = oneLine(session.title);
  const line = `${session.id}  ${when}  ${title}${marks.length > 0 ? `  (${marks.join(", ")})` : ""}\n`;
  return session.excerpt === undefined ? line : `${line}    ${visible(session.excerpt)}\n`;
}

/** What goes to standard output: the export, or the path of the file that it was written to. `err`: writes a note. */
export async function exported(
  library: Library,
  options: Options,
  t: Translate,
  err: (text: string) => void,
): Promise<string> {
  const { exported: id, format, allProjects, exportDir } = options;
  const project = allProjects ? (await library.other(id))?.project.key : undefined;
  const { name, text, files } = await library.export(id, format, t, project);
  const safe = format === "md" ? text : harmlessJson(text);
  if (exportDir !== undefined) {
    const written = path.join(exportDir, format === "atif" ? "trajectory.json" : name);
    await writeInto(written, safe);
    for (const file of files) await writeInto(path.join(exportDir, file.path), file.bytes);
    return `${written}\n`;
  }
  if (files.length > 0)
    err(
      `nekode: ${t("{0} contains images, which are exported as separate files. Use --export-dir to write them.", id)}\n`,
    );
  return safe;
}

async function writeInto(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Makes the change and returns a description of it. Throws when there is no such session, or another process uses it. */
export async function changed(
  library: Library,
  { change, task = "" }: Options,
  t: Translate,
): Promise<string> {
  if (!change) return "";
  const { kind, id } = change;
  await library.expect(id);
  switch (kind) {
    case "rename":
      await library.rename(id, task);
      return "";
    case "favorite":
    case "unfavorite":
      await library.setFavorite(id, kind === "favorite");
      return "";
    case "delete": {
      const isDeleted = await library.putAway(id);
      if (!isDeleted) throw new Error(t("Session {0} is open in another window or terminal.", id));
      return `${t("Deleted. To restore it within a day, run nekode --undelete {0}.", id)}\n`;
    }
    case "undelete":
      await library.undelete(id);
      return "";
  }
}

/** The id of the imported session. `cwd`: the folder that the path of the file starts at. */
export async function imported(
  library: Library,
  options: Options,
  t: Translate,
  cwd: string,
): Promise<string> {
  const file = path.resolve(cwd, options.imported);
  try {
    const stats = await stat(file).catch(() => undefined);
    if (!stats?.isFile()) throw new UsageError(`--import requires a file; ${options.imported} is not a file`);
    if (stats.size > IMPORT_LIMIT) throw new ImportRefused("too-large");
    return await library.import(await readFile(file));
  } catch (error) {
    if (error instanceof ImportRefused) throw new Error(importRefusalText(t, error.code, error.detail));
    throw error;
  }
}

/** The command that copies a session of another project into this one. */
export function copyCommand(id: string): string {
  return `nekode --export ${id} --all-projects --format json > task.json && nekode --import task.json`;
}

/** Names the last session of each project whose folder no longer exists, and how to continue it here; "": there is none. */
export async function movedSessionsText(library: Library, t: Translate): Promise<string> {
  const asked = {
    text: "",
    sort: "newest",
    allProjects: true,
    offset: 0,
    limit: MOST_SEARCHED,
    grouped: true,
  };
  const { sessions } = await library.find(historyQuerySchema.parse(asked));
  const shown = movedProjects(sessions);
  if (shown.length === 0) return "";
  const lines = shown.flatMap(({ id, title, project }) => [
    `  ${oneLine(project.name)}: ${oneLine(title)}`,
    `    ${copyCommand(id)}`,
  ]);
  const heading = t(
    "These projects have sessions, but their folders no longer exist. If this folder is one of them and was renamed or moved, copy a session into it:",
  );
  return `${heading}\n${lines.join("\n")}\n`;
}
