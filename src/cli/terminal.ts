/** Questions on the person's terminal. Asked on standard error, so that standard output stays the answer alone. */
import { createInterface } from "node:readline/promises";
import type { ApprovalView } from "../shared/event.ts";
import { approvalQuestion, type Translate } from "../shared/texts.ts";
import { visible } from "../shared/visible.ts";

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
        const answer = lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) });
        if (draft !== "") lines.write(draft);
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

/** What exactly will happen, one fact a line. */
export function describeApproval(approval: ApprovalView, diff: string | undefined): string {
  const lines: string[] = [];
  if (approval.command !== undefined) lines.push(`$ ${visible(approval.command)}`);
  if (approval.cwd !== undefined) lines.push(`  (${visible(approval.cwd)})`);
  if (approval.path !== undefined) {
    const counts = approval.added === undefined ? "" : ` +${approval.added} -${approval.removed ?? 0}`;
    lines.push(`${visible(approval.path)}${counts}`);
  }
  for (const file of approval.files ?? []) {
    const to = file.to === undefined ? "" : ` -> ${visible(file.to)}`;
    lines.push(`  ${file.kind} ${visible(file.path)}${to} +${file.added} -${file.removed}`);
  }
  if (approval.text !== undefined) lines.push(visible(approval.text));
  if (approval.realPath !== undefined) lines.push(`-> ${visible(approval.realPath)}`);
  if (diff !== undefined) lines.push(visible(diff));
  lines.push(`(${approval.reason})`);
  return `${lines.join("\n")}\n`;
}

/** Asks until there is an answer: y approves, a for good, n rejects, anything else rejects with it as the comment. */
export async function askApproval(
  terminal: Terminal,
  t: Translate,
  approval: ApprovalView,
  signal: AbortSignal,
): Promise<{ approved: boolean; comment?: string; always?: boolean } | undefined> {
  const choices =
    approval.always === undefined
      ? t("[y]es, [n]o, or a comment that rejects:")
      : t("[y]es, [a]lways for this command, [n]o, or a comment that rejects:");
  const asked = approvalQuestion(t, approval.access, approval.created ?? false, approval.asks);
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
    const approving = /^y(?:es)?[ ,:]+(.+)$/i.exec(answer)?.[1];
    if (approving !== undefined) return { approved: true, comment: approving };
    const rejecting = /^n(?:o)?[ ,:]+(.+)$/i.exec(answer)?.[1];
    if (answer !== "") return { approved: false, comment: rejecting ?? answer };
  }
}
