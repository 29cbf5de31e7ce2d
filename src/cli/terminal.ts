/** Questions on the person's terminal. Asked on standard error, so that standard output stays the answer alone. */
import { createInterface } from "node:readline/promises";
import type { ApprovalView } from "../shared/event.ts";
import type { ToolFace } from "../shared/tool-face.ts";
import { visible } from "../shared/visible.ts";
import { notKeptText } from "../shared/words/checkpoint-words.ts";
import { reasonText } from "../shared/words/reasons/reasons.ts";
import { approvalQuestion, type Translate } from "../shared/words/task-words.ts";
import { harmless, oneLine } from "./screen.ts";

export interface Terminal {
  /** A line, which begins with `draft`; undefined when the input ended. Rejects when `signal` aborts. */
  ask(question: string, signal: AbortSignal, draft?: string): Promise<string | undefined>;
}

/** undefined: nobody is there to be asked. */
export function personsTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Terminal | undefined {
  if (!input.isTTY) return undefined;
  return {
    async ask(question, signal, draft = "") {
      // Opened for each question: between questions Ctrl-C is the process's own signal.
      const lines = createInterface({ input, output, terminal: true });
      const ended = new AbortController();
      lines.on("close", () => ended.abort());
      lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
      try {
        const answer = lines.question(harmless(question), {
          signal: AbortSignal.any([signal, ended.signal]),
        });
        // Control characters are keys here: a line feed would send it, others would end the process.
        if (draft !== "") lines.write(oneLine(draft));
        return await answer;
      } catch (error) {
        if (ended.signal.aborted && !signal.aborted) return undefined;
        throw error;
      } finally {
        lines.close();
      }
    },
  };
}

/** Asks until there is a yes or a no; no answer is a no. */
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

/** Lines, and characters, of an approval that are printed at a time. */
const pageLines = 200;
const pageLength = 20_000;

/** What exactly will happen, one fact a line, in pages: the first one says what is done, the others hold the rest of it. */
export function describeApproval(approval: ApprovalView, diff: string | undefined, t: Translate): string[] {
  const lines: string[] = [];
  if (approval.command !== undefined) lines.push(`$ ${approval.command}`);
  if (approval.cwd !== undefined) lines.push(`  (${oneLine(approval.cwd)})`);
  if (approval.path !== undefined) {
    const counts = approval.added === undefined ? "" : ` +${approval.added} -${approval.removed ?? 0}`;
    lines.push(`${oneLine(approval.path)}${counts}`);
  }
  for (const file of approval.files ?? []) {
    const to = file.to === undefined ? "" : ` -> ${oneLine(file.to)}`;
    lines.push(`  ${file.kind} ${oneLine(file.path)}${to} +${file.added} -${file.removed}`);
  }
  if (approval.realPath !== undefined) lines.push(`-> ${oneLine(approval.realPath)}`);
  for (const each of approval.notKept ?? []) lines.push(oneLine(notKeptText(t, each)));
  const reason = reasonText(t, approval.reason);
  if (reason !== "") lines.push(`${t("Asks because")}: ${oneLine(reason)}`);
  if (approval.text !== undefined) lines.push(approval.text);
  if (diff !== undefined) lines.push(diff);
  return pagesOf(lines.join("\n"));
}

function pagesOf(text: string): string[] {
  const pages: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from;
    for (let lines = 0; lines < pageLines && to < text.length && to - from < pageLength; lines++) {
      const end = text.indexOf("\n", to);
      to = end < 0 ? text.length : end + 1;
    }
    to = Math.min(to, from + pageLength);
    pages.push(text.slice(from, to));
    from = to;
  }
  return pages;
}

/** A page as it is printed, made visible only then, with the number of characters that follow it. */
export function pageText(pages: readonly string[], index: number, t: Translate): string {
  const page = visible(pages[index] ?? "").replace(/\n$/, "");
  const rest = pages.slice(index + 1).reduce((sum, { length }) => sum + length, 0);
  return rest === 0 ? `${page}\n` : `${page}\n${t("… {0} more characters: type m to see more.", rest)}\n`;
}

/**
 * Asks until there is an answer: y approves, a for good, n rejects, w or ? explains, anything else rejects with it as the
 * comment. While `more` shows another page, m is no comment.
 */
export async function askApproval(
  terminal: Terminal,
  t: Translate,
  { approval, face }: { approval: ApprovalView; face: ToolFace | undefined },
  { more, why }: { more(): boolean; why(): Promise<void> },
  signal: AbortSignal,
): Promise<{ approved: boolean; comment?: string; always?: boolean } | undefined> {
  const choices =
    approval.always === undefined
      ? t("[y]es, [n]o, [w]hy, or a comment that rejects:")
      : t("[y]es, [a]lways for this command, [n]o, [w]hy, or a comment that rejects:");
  const asked = approvalQuestion(t, approval.access, approval.created ?? false, face);
  const question = `${asked} ${choices} `;
  for (;;) {
    const line = await terminal.ask(question, signal);
    if (line === undefined) return undefined;
    const answer = line.trim();
    if (/^(y|yes|はい)$/i.test(answer)) return { approved: true };
    if (approval.always !== undefined && /^(a|always|いつも)$/i.test(answer)) {
      return { approved: true, always: true };
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
