/** Finds the problems that language servers report for a file only after a change. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";
import { documentOf } from "./open-documents.ts";

/** Maximum milliseconds to wait for reports about a change from a language server that has reported before. */
const REPORTING_TIMEOUT = 3_000;
/** The same if no report ever arrived, or none after the last change: there may be no server. */
const SILENT_TIMEOUT = 700;
/** Milliseconds without a further report after which the reports count as complete. */
const QUIET_MS = 250;
const MAX_PROBLEMS = 50;
/**
 * For how many changes to wait in a language without any report so far. A server that has found no problems yet looks
 * the same as no server, and its first report may be about the change.
 */
const MAX_SILENT_WAITS = 2;

/** Problems since `watch` was called. Stops listening when `newProblems` is called; otherwise it must be disposed. */
export interface ProblemWatch extends Disposable {
  /** One per line. Does not wait if no language server seems to check the file, and otherwise at most 3 seconds. */
  newProblems(): Promise<string[]>;
}

export class ProblemTracker implements Disposable {
  readonly #clock: Pick<Clock, "after">;
  readonly #store = new DisposableStore();
  readonly #reported = this.#store.add(new Emitter<ReadonlySet<string>>());
  /** URIs of the files that got a report in this window, and language ids of those that were open at that time. */
  readonly #reporting = new Set<string>();
  readonly #waitsLeft = new Map<string, number>();
  /** URIs and language ids that got no report during the last wait. */
  readonly #silent = new Set<string>();

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
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

  /** Call before a change; call `newProblems` of the result after it. */
  watch(uri: vscode.Uri): ProblemWatch {
    const name = uri.toString();
    const before = count(problemsOf(uri));
    // A server may report while the file is still being saved.
    let hasReported = false;
    const listening = this.#reported.on((names) => {
      hasReported ||= names.has(name);
    });
    return {
      dispose: () => listening.dispose(),
      newProblems: async () => {
        listening.dispose();
        const server = this.#serverKey(uri);
        if (server !== undefined) {
          const isReporting = this.#reporting.has(server) && !this.#silent.has(server);
          const reported = await this.#waitForReports(
            name,
            hasReported,
            isReporting ? REPORTING_TIMEOUT : SILENT_TIMEOUT,
          );
          if (!reported) this.#silent.add(server);
        }
        const fresh: string[] = [];
        for (const { key, line } of problemsOf(uri)) {
          const remaining = before.get(key) ?? 0;
          if (remaining > 0) before.set(key, remaining - 1);
          else fresh.push(line);
        }
        return fresh.slice(0, MAX_PROBLEMS);
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
    if (language === undefined || !hasLanguageExtension(language))
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

/** Whether an active extension declares this language as an activation event, as most language servers do. */
function hasLanguageExtension(language: string): boolean {
  const event = `onLanguage:${language}`;
  return vscode.extensions.all.some(({ isActive, packageJSON }) => {
    const events: unknown = isActive ? packageJSON.activationEvents : undefined;
    return Array.isArray(events) && events.includes(event);
  });
}

interface Problem {
  /** Without the line number, because a change moves the problems below it. */
  key: string;
  line: string;
}

function problemsOf(uri: vscode.Uri): Problem[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
    .map(({ severity, source, code, message, range }) => {
      const kind = severity === vscode.DiagnosticSeverity.Error ? "error" : "warning";
      const origin = [source, typeof code === "object" ? code.value : code].filter(
        (part) => part !== undefined,
      );
      const text = `${kind}: ${message.replace(/\s*\n\s*/g, " ")}${origin.length > 0 ? ` (${origin.join(" ")})` : ""}`;
      return { key: text, line: `line ${range.start.line + 1}: ${text}` };
    });
}

function count(problems: readonly Problem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of problems) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
