/** Questions on the user's terminal. They use standard error, so that standard output contains only the answer. */
import { createInterface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";
import { SerialQueue } from "../core/async.ts";
import type { ApprovalView } from "../shared/event.ts";
import type { Explanation } from "../shared/explanation.ts";
import type { AllowScope } from "../shared/permission/levels.ts";
import { foldBlankLines } from "../shared/text/folded-text.ts";
import type { ToolPresentation } from "../shared/tool-presentation.ts";
import { withAskedPaths } from "../shared/view/approval-paths.ts";
import { visible } from "../shared/visible.ts";
import { coverageTexts, dangersText, encodingTexts } from "../shared/words/approval-words.ts";
import { notKeptText } from "../shared/words/checkpoint-words.ts";
import { explanationFacts, partFacts } from "../shared/words/explanation-words.ts";
import { reasonText } from "../shared/words/reasons/reasons.ts";
import { approvedPlaceText } from "../shared/words/sandbox-words.ts";
import { askedByText } from "../shared/words/session-words.ts";
import { approvalQuestion, fileChangeText, type Translate } from "../shared/words/task-words.ts";
import { oneLine, withoutControls } from "./screen.ts";
import type { ProgramIo } from "./start/program-io.ts";

export interface Terminal {
  /**
   * Reads a line, prefilled with `draft`; undefined at the end of the input. What the user types is not shown if `hidden`. `complete`:
   * the lines that the tab key may make of this one. Rejects when `signal` aborts.
   */
  ask(
    question: string,
    signal: AbortSignal,
    draft?: string,
    hidden?: boolean,
    complete?: (line: string) => Promise<string[]>,
  ): Promise<string | undefined>;
}

/** Discards what a line editor would show. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** undefined: there is no user to ask. Simultaneous questions are asked one after another. */
export function userTerminal(input: ProgramIo["stdin"], output: Writable): Terminal | undefined {
  if (!input.isTTY) return undefined;
  const terminal = lineTerminal(input, output);
  const questions = new SerialQueue();
  return { ask: (...args) => questions.run(() => terminal.ask(...args)) };
}

function lineTerminal(input: Readable, output: Writable): Terminal {
  return {
    async ask(question, signal, draft = "", hidden = false, complete = async () => []) {
      // Opened per question: between questions Ctrl-C sends a signal to the process.
      const lines = createInterface({
        input,
        output: hidden ? nowhere() : output,
        terminal: true,
        completer: async (line: string): Promise<[string[], string]> => [await complete(line), line],
      });
      if (hidden) output.write(withoutControls(question));
      const ended = new AbortController();
      lines.on("close", () => ended.abort());
      lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
      try {
        const answer = lines.question(withoutControls(question), {
          signal: AbortSignal.any([signal, ended.signal]),
        });
        // Control characters act as keys here: a line feed would submit the line, others would end the process.
        if (draft !== "") lines.write(oneLine(draft));
        return await answer;
      } catch (error) {
        if (ended.signal.aborted && !signal.aborted) return undefined;
        throw error;
      } finally {
        lines.close();
        if (hidden) output.write("\n");
      }
    },
  };
}

/** Asks until the answer is yes or no; the end of the input counts as no. */
export async function askYes(
  terminal: Pick<Terminal, "ask">,
  t: Translate,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const answer = (await terminal.ask(`${question} ${t("[y]es or [n]o:")} `, signal))?.trim();
    if (answer === undefined || /^(n|no|いいえ)$/i.test(answer)) return false;
    if (/^(y|yes|はい)$/i.test(answer)) return true;
  }
}

/** Maximum lines, and characters, of an approval that are printed at a time. */
const PAGE_LINES = 200;
const PAGE_LENGTH = 20_000;

/**
 * Describes exactly what happens, one fact per line, in pages: the first page names the action, the others contain the
 * rest.
 */
export function describeApproval(asked: ApprovalView, diff: string | undefined, t: Translate): string[] {
  const approval = withAskedPaths(asked);
  const lines: string[] = [];
  if (approval.task) lines.push(oneLine(askedByText(t, approval.task)));
  const dangers = dangersText(t, approval);
  if (dangers !== "") lines.push(t("Warning: {0}", dangers));
  if (approval.command !== undefined) lines.push(`$ ${withFoldedBlanks(approval.command, t)}`);
  if (approval.query !== undefined) lines.push(approval.query);
  if (approval.url !== undefined) lines.push(approval.url);
  if (approval.cwd !== undefined) lines.push(`  (${oneLine(approval.cwd)})`);
  const place = approvedPlaceText(t, approval);
  if (place !== undefined) lines.push(place);
  if (approval.path !== undefined) {
    const counts = approval.added === undefined ? "" : ` +${approval.added} -${approval.removed ?? 0}`;
    lines.push(`${oneLine(approval.path)}${counts}`);
  }
  for (const file of approval.files ?? []) {
    const to = file.to === undefined ? "" : ` -> ${oneLine(file.to)}`;
    lines.push(`  ${fileChangeText(t, file)} ${oneLine(file.path)}${to} +${file.added} -${file.removed}`);
  }
  if (approval.realPath !== undefined) lines.push(`-> ${oneLine(approval.realPath)}`);
  for (const each of encodingTexts(t, approval)) lines.push(`${t("Encoding")}: ${oneLine(each)}`);
  for (const each of approval.notKept ?? []) lines.push(oneLine(notKeptText(t, each)));
  lines.push(...coverageTexts(t, approval).map(oneLine));
  const reason = reasonText(t, approval.reason);
  if (reason !== "") lines.push(`${t("Reason")}: ${oneLine(reason)}`);
  if (approval.server) lines.push(...serverLines(approval.server));
  if (approval.text !== undefined) lines.push(approval.text);
  if (diff !== undefined) lines.push(diff);
  return pagesOf(lines.join("\n"));
}

/** A command with its runs of blank lines replaced by their number, so that no part of it scrolls out of view. */
const withFoldedBlanks = (command: string, t: Translate): string =>
  foldBlankLines(command)
    .map((piece) => (piece.kind === "blank" ? `${t("… {0} blank lines", piece.lines)}\n` : piece.text))
    .join("");

/** The call of a server, exactly as it is sent. Texts of the server come last. */
function serverLines(server: NonNullable<ApprovalView["server"]>): string[] {
  const { name, tool, title, resource, description } = server;
  const called = [name, tool, resource].filter((part) => part !== undefined).map(oneLine);
  const words = [title, description]
    .filter((part) => part !== undefined && part !== "")
    .map((part = "") => oneLine(part));
  return [
    called.join(" / "),
    ...(server.arguments === undefined ? [] : [server.arguments]),
    ...words.map((each) => `  ${each}`),
  ];
}

function pagesOf(text: string): string[] {
  const pages: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from;
    for (let lines = 0; lines < PAGE_LINES && to < text.length && to - from < PAGE_LENGTH; lines++) {
      const end = text.indexOf("\n", to);
      to = end < 0 ? text.length : end + 1;
    }
    to = Math.min(to, from + PAGE_LENGTH);
    pages.push(text.slice(from, to));
    from = to;
  }
  return pages;
}

/**
 * Formats a page for printing: makes hidden characters visible only now, and adds the number of characters that follow.
 */
export function pageText(pages: readonly string[], index: number, t: Translate): string {
  const page = visible(pages[index] ?? "").replace(/\n$/, "");
  const rest = pages.slice(index + 1).reduce((sum, { length }) => sum + length, 0);
  return rest === 0 ? `${page}\n` : `${page}\n${t("… {0} more characters. Type m to show more.", rest)}\n`;
}

function choicesOf({ always, access }: ApprovalView, t: Translate): string {
  if (always === undefined) return t("[y]es, [n]o, [w]hy, or type a comment to reject:");
  return access === "mcp"
    ? t("[y]es, [a]llow this tool from now on, [n]o, [w]hy, or type a comment to reject:")
    : t("[y]es, [a]llow this command from now on, [n]o, [w]hy, or type a comment to reject:");
}

/** Asks for how long the call's command or tool no longer asks; undefined: the user goes back. */
async function askScope(
  terminal: Terminal,
  t: Translate,
  { always = "" }: ApprovalView,
  signal: AbortSignal,
): Promise<AllowScope | undefined> {
  const choices = t("for this [s]ession, in this [p]roject, [a]lways, or press Enter to go back:");
  const answer = (await terminal.ask(`${t("Allow {0}", oneLine(always))} ${choices} `, signal))?.trim() ?? "";
  if (/^(s|session|セッション)$/i.test(answer)) return "session";
  if (/^(p|project|プロジェクト)$/i.test(answer)) return "workspace";
  return /^(a|always|いつも)$/i.test(answer) ? "always" : undefined;
}

/**
 * Asks until there is an answer: y approves, a approves and asks for how long, n rejects, w or ? explains, and anything else
 * rejects with the text as the comment. While `more` shows another page, m is not a comment.
 */
export async function askApproval(
  terminal: Terminal,
  t: Translate,
  { approval, presentation }: { approval: ApprovalView; presentation: ToolPresentation | undefined },
  { more, why }: { more(): boolean; why(): Promise<void> },
  signal: AbortSignal,
): Promise<{ approved: boolean; comment?: string; allow?: AllowScope } | undefined> {
  const choices = choicesOf(approval, t);
  const asked = approvalQuestion(t, approval.access, approval.created ?? false, presentation);
  const question = `${asked} ${choices} `;
  for (;;) {
    const line = await terminal.ask(question, signal);
    if (line === undefined) return undefined;
    const answer = line.trim();
    if (/^(y|yes|はい)$/i.test(answer)) return { approved: true };
    if (approval.always !== undefined && /^(a|allow|always|いつも)$/i.test(answer)) {
      const allow = await askScope(terminal, t, approval, signal);
      if (allow) return { approved: true, allow };
      continue;
    }
    if (/^(n|no|いいえ)$/i.test(answer)) return { approved: false };
    if (/^(\?|？|w|why|理由)$/i.test(answer)) {
      await why();
      continue;
    }
    if (/^(m|more|続き)$/i.test(answer) && more()) continue;
    const approving = /^y(?:es)?[ ,:]+(.+)$/i.exec(answer)?.[1];
    if (approving !== undefined) return { approved: true, comment: approving };
    const rejecting = /^n(?:o)?[ ,:]+(.+)$/i.exec(answer)?.[1];
    if (answer !== "") return { approved: false, comment: rejecting ?? answer };
  }
}

/** An explanation for a terminal. Each line ends with a line feed; the parts of a command follow the facts. */
export function explainedLines(explanation: Explanation, t: Translate): string {
  return [
    ...explanationFacts(t, explanation).map(({ name, value }) => `  ${name}: ${oneLine(value)}\n`),
    ...partFacts(t, explanation).map(({ name, value }) => `  - ${oneLine(name)}: ${oneLine(value)}\n`),
  ].join("");
}
