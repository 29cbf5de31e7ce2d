/** Finds the problems that language servers report for a file only after a change. */
import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { ProblemWatch } from "../../core/ports/editor.ts";
import type { Clock } from "../../core/ports/system.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import {
  type BackgroundDocument,
  isCheckedOnRequest,
  openInBackground,
  type Problem,
  problemOf,
  requestedProblems,
} from "./background-problems.ts";
import { extensionsFor } from "./language-servers.ts";
import { documentOf, isOpenElsewhere, PREVIEW_SCHEME } from "./open-documents.ts";

/** Maximum milliseconds to wait for a check of a file, and for reports about a change from a language server that has reported before. */
const REPORTING_TIMEOUT = 3_000;
/** The same if no report ever arrived, or none after the last change: there may be no server, or no watcher of the folder. */
const SILENT_TIMEOUT = 700;
/** Milliseconds without a further report after which the reports count as complete. */
const QUIET_MS = 250;
const MAX_PROBLEMS = 50;
/**
 * For how many changes to wait in a language without any report so far. A server that has found no problems yet looks
 * the same as no server, and its first report may be about the change.
 */
const MAX_SILENT_WAITS = 2;

/** New problems of one file. */
export interface NewProblems {
  /** One per line. */
  lines: string[];
  /** A language server checks such files, but did not tell its problems in time. */
  isUnknown: boolean;
}

/** Problems of a file since a moment before a change. Stops listening when `newProblems` is called; otherwise it must be disposed. */
export interface FileProblemWatch extends Disposable {
  /** Does not wait if no language server seems to check the file, and otherwise at most some seconds. */
  newProblems(): Promise<NewProblems>;
}

export class ProblemTracker implements Disposable {
  readonly #clock: Pick<Clock, "after">;
  readonly #previewScheme: string;
  readonly #store = new DisposableStore();
  readonly #reported = this.#store.add(new Emitter<ReadonlySet<string>>());
  /** URIs of the files that got a report in this window, and language ids of those that were open at that time. */
  readonly #reporting = new Set<string>();
  readonly #waitsLeft = new Map<string, number>();
  /** URIs and language ids that got no report during the last wait. */
  readonly #silent = new Set<string>();
  /** Folders in which the editor did not notice the last change in time: it may not watch them. */
  readonly #unnoticed = new Set<string>();

  constructor(clock: Pick<Clock, "after">, previewScheme = PREVIEW_SCHEME) {
    this.#clock = clock;
    this.#previewScheme = previewScheme;
    this.#store.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const names = new Set(uris.map(String));
        const open = vscode.workspace.textDocuments.filter(({ uri }) => names.has(uri.toString()));
        for (const kind of [...names, ...open.map(({ languageId }) => languageId)]) {
          this.#reporting.add(kind);
          this.#silent.delete(kind);
        }
        this.#reported.emit(names);
      }),
    );
  }

  /** Call before a change; call `newProblems` of the result after it. A file in no tab is opened in the background. */
  async watch(uri: vscode.Uri): Promise<FileProblemWatch> {
    if (isOpenElsewhere(uri, this.#previewScheme)) return this.#watchReports(uri);
    if (!existsSync(uri.fsPath)) return { dispose() {}, newProblems: () => this.#problemsOfNew(uri) };
    const background = await openInBackground(uri);
    if (background && isCheckedOnRequest(background.document)) return this.#watchOnRequest(background);
    return this.#watchReports(uri, background);
  }

  async #problemsOfNew(uri: vscode.Uri): Promise<NewProblems> {
    // The user may have opened it meanwhile.
    const background = isOpenElsewhere(uri, this.#previewScheme) ? undefined : await openInBackground(uri);
    background?.dispose();
    if (!background || !isCheckedOnRequest(background.document))
      return (await this.#watchReports(uri)).newProblems();
    const problems = await this.#limited(requestedProblems(background.document));
    return { lines: added(new Map(), problems ?? []), isUnknown: problems === undefined };
  }

  /** As `Editor.watchProblems`. */
  async watchAll(files: readonly string[]): Promise<ProblemWatch> {
    const watches = await Promise.all(
      files.map(async (file) => ({ file, watch: await this.watch(vscode.Uri.file(file)) })),
    );
    return {
      dispose() {
        for (const { watch } of watches) watch.dispose();
      },
      async newProblems() {
        const found = await Promise.all(
          watches.map(async ({ file, watch }) => ({ file, ...(await watch.newProblems()) })),
        );
        const lines = found.flatMap(({ file, lines }) =>
          lines.map((line) => `${workspacePath(file)} ${line}`),
        );
        return {
          newProblems: lines.slice(0, MAX_PROBLEMS),
          problemsUnknown: found.some(({ isUnknown }) => isUnknown),
        };
      },
    };
  }

  /** Of a server that checks a file when it is asked, whether or not it is in a tab. */
  async #watchOnRequest(background: BackgroundDocument): Promise<FileProblemWatch> {
    const { document, dispose } = background;
    const before = await this.#limited(requestedProblems(document));
    return {
      dispose,
      newProblems: async () => {
        const isCurrent = await this.#notices(background);
        dispose();
        const after = isCurrent ? await this.#limited(requestedProblems(document)) : undefined;
        if (!before || !after) return { lines: [], isUnknown: true };
        return { lines: added(count(before), after), isUnknown: false };
      },
    };
  }

  /** Whether the editor notices the change in time. */
  async #notices({ document, changed }: BackgroundDocument): Promise<boolean> {
    const folder = path.dirname(document.uri.fsPath);
    const limit = this.#unnoticed.has(folder) ? SILENT_TIMEOUT : REPORTING_TIMEOUT;
    const isNoticed = (await this.#limited(changed, limit)) === true;
    if (isNoticed) this.#unnoticed.delete(folder);
    else this.#unnoticed.add(folder);
    return isNoticed;
  }

  /** undefined: late. */
  #limited<T>(work: Promise<T>, ms = REPORTING_TIMEOUT): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const limit = this.#clock.after(ms, () => resolve(undefined));
      work.then(resolve, reject).finally(() => limit.dispose());
    });
  }

  /** Of servers that report by themselves; most check open documents only. */
  async #watchReports(uri: vscode.Uri, background?: BackgroundDocument): Promise<FileProblemWatch> {
    const name = uri.toString();
    const isFirst = background?.isNew && this.#reporting.has(background.document.languageId);
    if (isFirst) await this.#waitForReports(name, false, SILENT_TIMEOUT);
    const before = count(problemsOf(uri));
    // A server may report while the file is still being saved. Of a document in the background, the last report may still be about the
    // text before the change.
    let isChanged = background === undefined;
    void background?.changed.then(() => {
      isChanged = true;
    });
    let hasReported = false;
    const listening = this.#reported.on((names) => {
      hasReported ||= isChanged && names.has(name);
    });
    const dispose = () => {
      listening.dispose();
      background?.dispose();
    };
    return {
      dispose,
      newProblems: async () => {
        const isStale = background && !(await this.#notices(background));
        dispose();
        if (isStale) return { lines: [], isUnknown: this.#reporting.has(background.document.languageId) };
        const server = this.#serverKey(uri);
        if (server === undefined) return { lines: added(before, problemsOf(uri)), isUnknown: false };
        const isReporting = this.#reporting.has(server) && !this.#silent.has(server);
        const reported = await this.#waitForReports(
          name,
          hasReported,
          isReporting ? REPORTING_TIMEOUT : SILENT_TIMEOUT,
        );
        if (!reported) this.#silent.add(server);
        const isUnknown = !reported && background !== undefined && this.#reporting.has(server);
        return { lines: added(before, problemsOf(uri)), isUnknown };
      },
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * The language id if a server probably checks that language, or the URI if the file got a report; undefined if
   * neither.
   */
  #serverKey(uri: vscode.Uri): string | undefined {
    const name = uri.toString();
    // Most servers check open documents only.
    const language = documentOf(uri)?.languageId;
    if (language === undefined || !extensionsFor(language).some(({ isActive }) => isActive))
      return this.#reporting.has(name) ? name : undefined;
    if (this.#reporting.has(language)) return language;
    const remaining = this.#waitsLeft.get(language) ?? MAX_SILENT_WAITS;
    this.#waitsLeft.set(language, remaining - 1);
    return remaining > 0 ? language : undefined;
  }

  /**
   * Waits for reports until they are complete; false if there is none. `hasReported`: one arrived before this call.
   */
  #waitForReports(name: string, hasReported: boolean, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      let reported = hasReported;
      const timers = new Map<string, Disposable>();
      const done = () => {
        for (const timer of timers.values()) timer.dispose();
        listening.dispose();
        resolve(reported);
      };
      const untilQuiet = () => {
        timers.get("quiet")?.dispose();
        timers.set("quiet", this.#clock.after(QUIET_MS, done));
      };
      const listening = this.#reported.on((names) => {
        if (!names.has(name)) return;
        reported = true;
        untilQuiet();
      });
      timers.set("timeout", this.#clock.after(timeoutMs, done));
      if (hasReported) untilQuiet();
    });
  }
}

/** Those that are not among the earlier ones, as lines. */
function added(before: Map<string, number>, now: readonly Problem[]): string[] {
  const fresh: string[] = [];
  for (const { key, line } of now) {
    const remaining = before.get(key) ?? 0;
    if (remaining > 0) before.set(key, remaining - 1);
    else fresh.push(line);
  }
  return fresh.slice(0, MAX_PROBLEMS);
}

function problemsOf(uri: vscode.Uri): Problem[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
    .map(({ severity, source, code, message, range }) =>
      problemOf({
        ...{ severity: severity === vscode.DiagnosticSeverity.Error ? "error" : "warning", message, source },
        ...{ code: typeof code === "object" ? code.value : code, line: range.start.line + 1 },
      }),
    );
}

function count(problems: readonly Problem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of problems) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
