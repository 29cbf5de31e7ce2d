/** What the language servers newly complain about after a file was changed. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../core/lifecycle.ts";
import type { Clock } from "../core/ports.ts";

/** Milliseconds that a language server gets to look at a change, and the quiet after its last word. */
const patience = 1_000;
const quiet = 250;
const mostProblems = 50;

export class Problems implements Disposable {
  readonly #clock: Pick<Clock, "after">;
  readonly #store = new DisposableStore();
  readonly #reported = this.#store.add(new Emitter<ReadonlySet<string>>());
  /** Files that a language server has spoken about in this window. */
  readonly #known = new Set<string>();

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
    this.#store.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const names = new Set(uris.map(String));
        for (const name of names) this.#known.add(name);
        this.#reported.emit(names);
      }),
    );
  }

  /**
   * Call before a change; the result, called after it, resolves to what is new, one a line. It waits for nobody where no
   * language server has spoken about the file, and never longer than a second.
   */
  watch(uri: vscode.Uri): () => Promise<string[]> {
    const before = count(problemsOf(uri));
    return async () => {
      if (this.#known.has(uri.toString())) await this.#settled(uri);
      const fresh: string[] = [];
      for (const { key, line } of problemsOf(uri)) {
        const left = before.get(key) ?? 0;
        if (left > 0) before.set(key, left - 1);
        else fresh.push(line);
      }
      return fresh.slice(0, mostProblems);
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  #settled(uri: vscode.Uri): Promise<void> {
    const name = uri.toString();
    return new Promise((resolve) => {
      const timers = new Map<string, Disposable>();
      const done = () => {
        for (const timer of timers.values()) timer.dispose();
        listening.dispose();
        resolve();
      };
      const listening = this.#reported.on((names) => {
        if (!names.has(name)) return;
        timers.get("quiet")?.dispose();
        timers.set("quiet", this.#clock.after(quiet, done));
      });
      timers.set("patience", this.#clock.after(patience, done));
    });
  }
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
