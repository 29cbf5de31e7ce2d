/** What the language servers newly complain about after a file was changed. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";
import { documentOf } from "./open-documents.ts";

/**
 * Milliseconds that a language server gets to look at a change: one that is known to look, and one that may be or that
 * said nothing of the last change. And the quiet after its last word.
 */
const patience = 3_000;
const shortPatience = 700;
const quiet = 250;
const mostProblems = 50;
/**
 * How often a language is waited for that nobody has spoken about yet: a server that finds nothing wrong says nothing,
 * so the first problem that a change brings is the first word that is heard of it.
 */
const chances = 2;

/** What is new since the change that was announced. Ends itself once it was asked; else whoever began it disposes it. */
export interface ProblemsSince extends Disposable {
  /** One a line. Waits for nobody where no language server seems to look, and never longer than three seconds. */
  fresh(): Promise<string[]>;
}

export class Problems implements Disposable {
  readonly #clock: Pick<Clock, "after">;
  readonly #store = new DisposableStore();
  readonly #reported = this.#store.add(new Emitter<ReadonlySet<string>>());
  /** Files that somebody has spoken about in this window, and the languages of those that were open then. */
  readonly #known = new Set<string>();
  readonly #chances = new Map<string, number>();
  /** Files and languages of which nothing was said when they were last waited for. */
  readonly #silent = new Set<string>();

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
    this.#store.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const names = new Set(uris.map(String));
        const open = vscode.workspace.textDocuments.filter(({ uri }) => names.has(uri.toString()));
        for (const kind of [...names, ...open.map(({ languageId }) => languageId)]) {
          this.#known.add(kind);
          this.#silent.delete(kind);
        }
        this.#reported.emit(names);
      }),
    );
  }

  /** Call before a change, and `fresh` after it. */
  watch(uri: vscode.Uri): ProblemsSince {
    const name = uri.toString();
    const before = count(problemsOf(uri));
    // A server may answer while the file is still being saved.
    let heard = false;
    const listening = this.#reported.on((names) => {
      heard ||= names.has(name);
    });
    return {
      dispose: () => listening.dispose(),
      fresh: async () => {
        listening.dispose();
        const kind = this.#watchedAs(uri);
        if (kind !== undefined) {
          const isKnown = this.#known.has(kind) && !this.#silent.has(kind);
          const said = await this.#settled(name, heard, isKnown ? patience : shortPatience);
          if (!said) this.#silent.add(kind);
        }
        const fresh: string[] = [];
        for (const { key, line } of problemsOf(uri)) {
          const left = before.get(key) ?? 0;
          if (left > 0) before.set(key, left - 1);
          else fresh.push(line);
        }
        return fresh.slice(0, mostProblems);
      },
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The file's language, or the file, where some language server looks at it as far as is known. */
  #watchedAs(uri: vscode.Uri): string | undefined {
    const name = uri.toString();
    // What is not open, most servers know nothing of.
    const language = documentOf(uri)?.languageId;
    if (language === undefined || !isServed(language)) return this.#known.has(name) ? name : undefined;
    if (this.#known.has(language)) return language;
    const left = this.#chances.get(language) ?? chances;
    this.#chances.set(language, left - 1);
    return left > 0 ? language : undefined;
  }

  /** Whether anything was said. `heard`: something was already, so all that is waited for is the last word. */
  #settled(name: string, heard: boolean, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      let said = heard;
      const timers = new Map<string, Disposable>();
      const done = () => {
        for (const timer of timers.values()) timer.dispose();
        listening.dispose();
        resolve(said);
      };
      const untilQuiet = () => {
        timers.get("quiet")?.dispose();
        timers.set("quiet", this.#clock.after(quiet, done));
      };
      const listening = this.#reported.on((names) => {
        if (!names.has(name)) return;
        said = true;
        untilQuiet();
      });
      timers.set("patience", this.#clock.after(patienceMs, done));
      if (heard) untilQuiet();
    });
  }
}

/** An extension that is at work began with this language: of plain text there is none. */
function isServed(language: string): boolean {
  const event = `onLanguage:${language}`;
  return vscode.extensions.all.some(({ isActive, packageJSON }) => {
    const events: unknown = isActive ? packageJSON.activationEvents : undefined;
    return Array.isArray(events) && events.includes(event);
  });
}

interface Problem {
  /** The same problem on another line is no new problem: lines move. */
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
