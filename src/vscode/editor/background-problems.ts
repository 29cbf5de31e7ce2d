/**
 * Problems of files that are in no tab. Most language servers check each open document, and a document is open without a tab. That
 * of TypeScript reports problems only for files in tabs, but answers when it is asked about another.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";
import * as z from "../../shared/zod.ts";
import { extensionsFor, opened } from "./language-servers.ts";
import { documentOf } from "./open-documents.ts";

export interface Problem {
  /** Without the line number, because a change moves the problems below it. */
  key: string;
  line: string;
}

/** A file in no tab, in whose language an extension has a program. */
export interface BackgroundDocument extends Disposable {
  document: vscode.TextDocument;
  /** The document was not open before. */
  isNew: boolean;
  /** Resolves when the text changes: a moment after the file does, if the editor notices that. */
  changed: Promise<true>;
}

/** undefined: there is no such file, or nothing knows its language. */
export async function openInBackground(uri: vscode.Uri): Promise<BackgroundDocument | undefined> {
  const isNew = documentOf(uri) === undefined;
  const document = await opened(uri.fsPath);
  if (document === undefined || extensionsFor(document.languageId).length === 0) return undefined;
  let listening: vscode.Disposable | undefined;
  const changed = new Promise<true>((resolve) => {
    listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.toString() === uri.toString() && event.contentChanges.length > 0) resolve(true);
    });
  });
  return { document, isNew, changed, dispose: () => listening?.dispose() };
}

const TYPESCRIPT: ReadonlySet<string> = new Set([
  "typescript",
  "typescriptreact",
  "javascript",
  "javascriptreact",
]);

export function isCheckedOnRequest({ languageId }: vscode.TextDocument): boolean {
  return TYPESCRIPT.has(languageId);
}

/** The answer of the TypeScript server, whose positions are 1-based. */
const answerSchema = z.object({
  body: z.array(
    z.object({
      message: z.string(),
      category: z.string(),
      code: z.number(),
      startLocation: z.object({ line: z.number() }),
    }),
  ),
});

/** Asks the TypeScript server for the errors and warnings of a document; undefined: it cannot be asked. */
export async function requestedProblems(document: vscode.TextDocument): Promise<Problem[] | undefined> {
  const source = document.languageId.startsWith("javascript") ? "js" : "ts";
  const problems: Problem[] = [];
  try {
    await Promise.all(extensionsFor(document.languageId).map((each) => each.activate()));
    for (const check of ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"]) {
      // The editor does not document this command, so it may be gone in another version.
      const answer = answerSchema.safeParse(
        await vscode.commands.executeCommand("typescript.tsserverRequest", check, {
          file: document.uri,
          includeLinePosition: true,
        }),
      );
      if (!answer.success) return undefined;
      for (const { message, category, code, startLocation } of answer.data.body)
        if (category === "error" || category === "warning")
          problems.push(problemOf({ severity: category, message, source, code, line: startLocation.line }));
    }
  } catch {
    return undefined;
  }
  return problems;
}

/** `line`: 1-based. */
export function problemOf(problem: {
  severity: "error" | "warning";
  message: string;
  source: string | undefined;
  code: string | number | undefined;
  line: number;
}): Problem {
  const { severity, message, source, code, line } = problem;
  const origin = [source, code].filter((part) => part !== undefined);
  const text = `${severity}: ${message.replace(/\s*\n\s*/g, " ")}${origin.length > 0 ? ` (${origin.join(" ")})` : ""}`;
  return { key: text, line: `line ${line}: ${text}` };
}
