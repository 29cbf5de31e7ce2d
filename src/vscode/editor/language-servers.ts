/** Starts the language servers that know a file or the workspace, in the background, and tells when their answers are complete. */
import * as path from "node:path";
import * as vscode from "vscode";
import { Interrupt, messageOf, ToolError, throwIfAborted } from "../../core/errors.ts";
import type { Search } from "../../core/ports/search.ts";
import type { SymbolState } from "../../core/ports/symbols.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { languageByName } from "../../core/tools/definitions/languages.ts";
import { within } from "../../node/clock.ts";
import { documentOf } from "./open-documents.ts";
import { opensAsPlainText } from "./plain-files.ts";
import { documentOutline } from "./reported-symbols.ts";

/** Maximum milliseconds to wait for a language server that is starting. */
const START_TIMEOUT = 10_000;
/** The same for one answer of a server that has started. */
const ANSWER_TIMEOUT = 30_000;
/** Milliseconds before a starting server is asked again; doubles each time. */
const FIRST_PAUSE = 50;
/** Files that are listed to find out which languages the workspace has, and files that are opened for their servers. */
const LISTED_FILES = 20_000;
const MOST_SAMPLES = 4;

export interface LanguageServersParts {
  search: Pick<Search, "files">;
  workspace: Pick<Workspace, "roots">;
}

export class LanguageServers {
  readonly #parts: LanguageServersParts;
  /** Ids of languages in which a server has answered in this window. */
  readonly #answering = new Set<string>();
  /** Files of the workspace's main languages, by root. */
  readonly #samples = new Map<string, readonly string[]>();

  constructor(parts: LanguageServersParts) {
    this.#parts = parts;
  }

  /** As `CodeSymbols.state` of a file. */
  async stateOf(file: string, signal: AbortSignal): Promise<SymbolState> {
    const document = await opened(file);
    if (document === undefined) return "none";
    const extensions = extensionsFor(document.languageId);
    const deadline = Date.now() + START_TIMEOUT;
    // Opening the document activates them, too, but does not tell when that is done.
    await within(Promise.allSettled(extensions.map((each) => each.activate())), START_TIMEOUT);
    if (!(await this.#answers(document, extensions.length > 0 ? deadline : 0, signal)))
      return extensions.length > 0 ? "starting" : "none";
    // A server may answer other questions about the files that it has read so far. This one needs the whole project.
    const whole = execute("vscode.prepareCallHierarchy", document.uri, new vscode.Position(0, 0));
    const answer = await within(untilAborted(whole, signal), Math.max(0, deadline - Date.now())).catch(
      ignoreFailure,
    );
    return answer === "late" ? "starting" : "ready";
  }

  /** As `CodeSymbols.state` of the workspace. Most servers know the files of a project once one of them is open. */
  async stateOfWorkspace(signal: AbortSignal): Promise<SymbolState> {
    const lists = this.#parts.workspace.roots.map(({ path: root }) => this.#samplesIn(root, signal));
    const files = (await Promise.all(lists)).flat().slice(0, MOST_SAMPLES);
    const states = await Promise.all(files.map((file) => this.stateOf(file, signal)));
    if (states.includes("starting")) return "starting";
    return states.includes("ready") ? "ready" : "none";
  }

  /** Whether a server answers about this document: waits for it until `deadline`. */
  async #answers(document: vscode.TextDocument, deadline: number, signal: AbortSignal): Promise<boolean> {
    const { uri, languageId } = document;
    let pause = FIRST_PAUSE;
    for (;;) {
      throwIfAborted(signal);
      const outline = await untilAborted(documentOutline(uri), signal).catch(ignoreFailure);
      if (outline !== undefined && outline.length > 0) {
        this.#answering.add(languageId);
        return true;
      }
      // Of a text without symbols, a server that runs gives an empty outline, like one that does not run.
      if (this.#answering.has(languageId)) return true;
      const left = deadline - Date.now();
      if (left <= 0) return false;
      // No event tells that a server has registered; some report problems then.
      const report = nextReport();
      try {
        await within(untilAborted(report.arrived, signal), Math.min(pause, left));
      } finally {
        report.dispose();
      }
      pause *= 2;
    }
  }

  async #samplesIn(root: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = this.#samples.get(root);
    if (known) return known;
    const { paths } = await this.#parts.search.files(root, { limit: LISTED_FILES, signal });
    const samples = sampleFiles(paths).map((file) => path.join(root, file));
    this.#samples.set(root, samples);
    return samples;
  }
}

/** One file of each of the fullest parts of the workspace; a part is a language in a folder of the first two levels. */
function sampleFiles(files: readonly string[]): string[] {
  const parts = new Map<string, string[]>();
  for (const file of files) {
    const language = languageByName(path.posix.basename(file));
    if (language === undefined) continue;
    const part = [language.grammar, ...file.split("/").slice(0, -1).slice(0, 2)].join("/");
    parts.set(part, [...(parts.get(part) ?? []), file]);
  }
  return [...parts.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap(([first]) => first ?? [])
    .slice(0, MOST_SAMPLES);
}

/**
 * The file as a document, which needs no tab; undefined: the editor cannot read it as text, or it is of a type whose language servers
 * fetch what an open document names.
 */
export async function opened(file: string): Promise<vscode.TextDocument | undefined> {
  const uri = vscode.Uri.file(file);
  if (opensAsPlainText(file)) return documentOf(uri);
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

/** The extensions that have a program for this language. */
export function extensionsFor(language: string): vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter(({ packageJSON }) => {
    const { main, browser, activationEvents, contributes } = packageJSON;
    if (main === undefined && browser === undefined) return false;
    if (Array.isArray(activationEvents) && activationEvents.includes(`onLanguage:${language}`)) return true;
    const languages: unknown = contributes?.languages;
    return Array.isArray(languages) && languages.some((each) => each?.id === language);
  });
}

/** Runs a command of the editor that asks language servers. Rejects with ToolError if it fails or does not answer. */
export async function askServers<T>(
  signal: AbortSignal,
  command: string,
  ...args: unknown[]
): Promise<T | undefined> {
  try {
    const answer = await within(untilAborted(execute<T>(command, ...args), signal), ANSWER_TIMEOUT);
    if (answer !== "late") return answer;
  } catch (error) {
    if (error instanceof Interrupt) throw error;
    throw new ToolError(`The language server reports: ${messageOf(error)}`);
  }
  throw new ToolError(`The language server did not answer within ${ANSWER_TIMEOUT / 1000} s.`);
}

const execute = async <T>(command: string, ...args: unknown[]): Promise<T | undefined> =>
  vscode.commands.executeCommand<T | undefined>(command, ...args);

/** A question whose answer decides nothing may fail. */
function ignoreFailure(error: unknown): undefined {
  if (error instanceof Interrupt) throw error;
  return undefined;
}

/** Rejects with Interrupt when the signal aborts. The editor offers no way to end the work itself. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  throwIfAborted(signal);
  let onAbort = () => {};
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Interrupt());
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function nextReport(): { arrived: Promise<void>; dispose(): void } {
  let listening: vscode.Disposable | undefined;
  const arrived = new Promise<void>((resolve) => {
    listening = vscode.languages.onDidChangeDiagnostics(() => resolve());
  });
  return { arrived, dispose: () => listening?.dispose() };
}
