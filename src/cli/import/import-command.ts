/** `nekode import`: lists what is found, asks, imports, and reports. */
import type { FoundProduct, FoundSession } from "../../node/import/found-session.ts";
import { type ImportParts, type ImportStep, importSessions } from "../../node/import/import-sessions.ts";
import { sessionsBelow } from "../../node/import/session-filter.ts";
import { PRODUCT_NAMES } from "../../shared/history/session-origin.ts";
import {
  findProblemText,
  foundText,
  type ImportCounts,
  importedText,
  importFaultText,
  lossText,
} from "../../shared/words/import-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine, type Screen } from "../screen.ts";
import { askYes, type Terminal } from "../terminal.ts";
import type { ImportOptions } from "./import-options.ts";

export interface ImportCommandParts extends ImportParts {
  screen: Pick<Screen, "out" | "err">;
  t: Translate;
  terminal: Pick<Terminal, "ask"> | undefined;
  /** Shows progress in a line that is overwritten; undefined: standard error is not a terminal. */
  progress: ((text: string) => void) | undefined;
  signal: AbortSignal;
}

type Chosen = Pick<ImportOptions, "folder" | "isDryRun" | "yes" | "json">;

/** Resolves with the exit code. */
export async function runImport(
  found: readonly FoundProduct[],
  options: Chosen,
  parts: ImportCommandParts,
): Promise<number> {
  const { screen, t, terminal, signal } = parts;
  const products = found.map((product) => ({
    ...product,
    sessions: sessionsBelow(product.sessions, options.folder),
  }));
  const sessions = products.flatMap((product) => product.sessions);
  for (const { problems } of found)
    for (const problem of problems) await screen.err(`nekode: ${oneLine(findProblemText(t, problem))}\n`);
  if (!options.json) await screen.out(listText(products, t));
  if (sessions.length === 0) return EXIT_CODE.completed;
  if (!options.isDryRun && !options.yes) {
    const question =
      sessions.length === 1 ? t("Import this session?") : t("Import these {0} sessions?", sessions.length);
    if (!terminal) {
      await screen.err(`nekode: ${t("Nothing was imported. Run the command again with --yes to import.")}\n`);
      return EXIT_CODE.unanswered;
    }
    if (!(await askYes(terminal, t, question, signal))) return EXIT_CODE.unanswered;
  }
  return report(sessions, options, parts);
}

/** The products with the folders of their sessions. */
function listText(products: readonly FoundProduct[], t: Translate): string {
  const shown = products.filter(({ sessions }) => sessions.length > 0);
  if (shown.length === 0) return `${t("No sessions of other agents were found.")}\n`;
  return shown
    .map(({ product, sessions, places }) => {
      const lines = [...byFolder(sessions)].map(
        ([folder, own]) =>
          `  ${folder === undefined ? t("folder not known") : oneLine(folder)}: ${sizeOf(own, t)}\n`,
      );
      const where = places.map(oneLine).join(", ");
      return `${PRODUCT_NAMES[product]}: ${sizeOf(sessions, t)} (${where})\n${lines.join("")}`;
    })
    .join("");
}

function byFolder(sessions: readonly FoundSession[]): Map<string | undefined, FoundSession[]> {
  const folders = new Map<string | undefined, FoundSession[]>();
  for (const session of sessions) {
    const own = folders.get(session.folder);
    if (own) own.push(session);
    else folders.set(session.folder, [session]);
  }
  return folders;
}

function sizeOf(sessions: readonly FoundSession[], t: Translate): string {
  return foundText(
    t,
    sessions.length,
    sessions.reduce((sum, { bytes }) => sum + bytes, 0),
  );
}

async function report(
  sessions: readonly FoundSession[],
  { isDryRun, json }: Chosen,
  parts: ImportCommandParts,
): Promise<number> {
  const { screen, t, progress, signal } = parts;
  const counts: ImportCounts = { imported: 0, known: 0, failed: 0 };
  let read = 0;
  let done = 0;
  const onRead = ({ title, bytes }: FoundSession, more: number) => {
    read += more;
    const percent = Math.min(100, Math.floor((100 * read) / Math.max(1, bytes)));
    progress?.(`${done + 1}/${sessions.length} ${percent}% ${oneLine(title)}`);
  };
  for await (const step of importSessions(sessions, parts, { signal, onRead, isDryRun })) {
    read = 0;
    done++;
    counts[step.outcome.state]++;
    progress?.("");
    if (json) await screen.out(jsonOf(step, isDryRun));
    const text = trouble(step, t);
    if (text !== "") await screen.err(`nekode: ${nameOf(step.session, t)}: ${oneLine(text)}\n`);
  }
  if (!json) await screen.out(`${importedText(t, counts, isDryRun)}\n`);
  if (signal.aborted) return EXIT_CODE.interrupted;
  return counts.failed > 0 ? EXIT_CODE.error : EXIT_CODE.completed;
}

/** What the user should know about a session; "": nothing. */
function trouble({ outcome }: ImportStep, t: Translate): string {
  if (outcome.state === "failed") return importFaultText(t, outcome.code, outcome.detail);
  return outcome.state === "imported" ? lossText(t, outcome.unreadable) : "";
}

function nameOf({ product, title, id }: FoundSession, t: Translate): string {
  return `${PRODUCT_NAMES[product]}: ${oneLine(title) || t("Untitled")} (${oneLine(id)})`;
}

function jsonOf({ session, outcome }: ImportStep, isDryRun: boolean): string {
  const { product, id: originalId, title, folder, bytes, updatedAt } = session;
  return jsonLine({
    product,
    originalId,
    title,
    folder,
    bytes,
    updatedAt,
    ...outcome,
    ...(isDryRun ? { dryRun: true } : {}),
  });
}
