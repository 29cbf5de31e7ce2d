/** Prints a task on a terminal: the answer on standard output, everything else on standard error. */

import type { CheckpointView, RetryView, TaskEvent } from "../shared/event.ts";
import { memoryChangeSchema, memoryNoteSchema } from "../shared/memory-list.ts";
import type { Block, ComparedAnswer, ToolResultBlock } from "../shared/message.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import { presentationOf } from "../shared/tool-presentation.ts";
import { unreachable } from "../shared/unreachable.ts";
import { blockNotice, type CallRow, type ChatView, rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import { keepingText, notKeptText } from "../shared/words/checkpoint-words.ts";
import { errorDetail, errorText, retryText } from "../shared/words/error-words.ts";
import { noticeText } from "../shared/words/notice-words.ts";
import { callStateText } from "../shared/words/outcome-words.ts";
import { refusalText } from "../shared/words/reasons/reasons.ts";
import { madeFilesTexts, sandboxText } from "../shared/words/sandbox-words.ts";
import { callPhrase, type Translate } from "../shared/words/task-words.ts";
import * as z from "../shared/zod.ts";
import { jsonLine, oneLine, PlainOutput, type Screen } from "./screen.ts";

export interface Printer {
  print(event: TaskEvent): void;
}

/** The same texts as elsewhere, but with the option or variable to change in the terminal. */
export function terminalErrorText(t: Translate, error: ErrorView): string {
  switch (error.code) {
    case "no-endpoint":
      return t(
        "No endpoint is configured. Set it with --base-url or NEKODE_BASE_URL, and the model with --model or NEKODE_MODEL.",
      );
    case "no-model":
      return t("No model is configured. Set it with --model or NEKODE_MODEL.");
    case "no-key":
    case "bad-key":
    case "unusable-key":
      return `${errorText(t, error).text} ${t("The key is read from NEKODE_API_KEY, or from the variable that the connection names in keyEnv.")}`;
    case "bad-address":
    case "wrong-address":
    case "web-page":
    case "wants-https":
    case "wants-http":
    case "key-of-another":
      return `${errorText(t, error).text} ${t("The base URL is set with --base-url, NEKODE_BASE_URL or nekode config, and the key in an environment variable.")}`;
    case "unknown-model":
      return `${errorText(t, error).text} ${t("/model lists the models; --model, NEKODE_MODEL or nekode config set one.")}`;
    default:
      // No option or variable of the terminal changes anything about the others.
      return errorText(t, error).text;
  }
}

/** One event a line, nothing else on standard output. */
export function jsonPrinter(screen: Screen): Printer {
  return { print: (event) => void screen.out(jsonLine(event)) };
}

export function textPrinter(screen: Screen, t: Translate, view: () => ChatView): Printer {
  /** What the last line of standard output belongs to. A text that belongs to something else starts a new paragraph. */
  let open = "";
  const outputs = new Map<string, PlainOutput>();
  const outputOf = (callId: string) => {
    const output = outputs.get(callId) ?? new PlainOutput();
    outputs.set(callId, output);
    return output;
  };
  const close = () => {
    if (open !== "") void screen.out("\n");
    open = "";
  };
  const say = (key: string, delta: string) => {
    if (open !== key) close();
    open = key;
    void screen.out(delta);
  };
  const line = (text: string) => {
    close();
    void screen.err(`${visible(text)}\n`);
  };
  const row = (callId: string): CallRow | undefined => {
    const found = rowsOf(view()).findLast((candidate) => candidate.id === callId);
    return found?.kind === "call" ? found : undefined;
  };
  /** What a call offers in addition to its text: numbered answers, or a command that the user can run. */
  const offer = (call: CallRow | undefined) => {
    const options = (call?.options ?? []).map((option, index) => `  ${index + 1}. ${oneLine(option)}`);
    const proposal = call?.proposal === undefined ? [] : [`  $ ${visible(call.proposal)}`];
    for (const text of [...options, ...proposal]) say(text, text);
  };
  const running = (call: CallRow | undefined) => {
    if (!call) return;
    const presentation = presentationOf(view().faces, call.tool);
    line(`> ${oneLine(callPhrase(t, presentation, { ...call, state: "running" }))}`);
  };
  /** Prints a call of a subtask. */
  const step = ({ task, step: made, face: presentation }: Extract<TaskEvent, { type: "child" }>) => {
    if (made?.state === "running")
      line(`> [${oneLine(task.title)}] ${oneLine(callPhrase(t, presentation, made))}`);
  };
  const finished = ({ callId, name, outcome, shown }: ToolResultBlock) => {
    outputs.delete(callId);
    if (shown?.sandbox?.block) line(oneLine(sandboxText(t, shown.sandbox)));
    for (const text of shown?.sandbox?.made ? madeFilesTexts(t, shown.sandbox.made) : []) line(oneLine(text));
    const change = memoryChangeSchema.safeParse(shown?.memory).data;
    if (change?.id !== undefined) line(t("To delete this note: {0}", `nekode memory remove ${change.id}`));
    if (outcome === "done") return;
    const call = row(callId);
    // The server's own message about its failure is the result.
    const said = outcome === "failed" ? shown?.output?.trim().split("\n", 1)[0] : undefined;
    const why = refusalText(t, shown) ?? shown?.text ?? shown?.comment ?? said ?? "";
    const title = oneLine(`${call?.tool ?? name} ${call?.subject ?? ""}`);
    // Only the first line is not indented. Nekode's own texts begin at the margin.
    const because = why === "" ? "" : `. ${why.replaceAll("\n", "\n  ")}`;
    line(`> ${title}: ${callStateText(t, outcome)}${because}`);
  };
  /** Prints how many notes of earlier tasks a message has, if it has any. */
  const noted = (notes: unknown) => {
    const { length = 0 } = z.array(memoryNoteSchema).safeParse(notes).data ?? [];
    if (length > 0) line(t("Notes from memory in this task: {0}", length));
  };
  /** Prints the answer of one of several models, which arrives as a whole. */
  const answer = ({ name, text, outcome, error }: ComparedAnswer, index: number) => {
    line(`# ${index + 1}. ${oneLine(name)}`);
    if (text !== "") say(name, text);
    if (outcome === "failed") line(error ? terminalErrorText(t, error) : t("Failed"));
    if (outcome === "stopped") line(t("Stopped."));
  };
  const block = (shown: Block) => {
    const notice = blockNotice(shown);
    if (notice) line(noticeText(t, notice.code, notice.values));
    switch (shown.type) {
      case "tool-call":
        return offer(row(shown.id));
      case "answers":
        return shown.answers.forEach(answer);
      case "tool-result":
        return finished(shown);
      // The text itself was printed as it came (`delta`).
      case "text":
        return noted(shown.memory);
      // Reasoning is not printed, and an image cannot be.
      case "reasoning":
      case "image":
        return;
      // The notice above is all that is printed about these.
      case "refused":
      case "window":
      case "rules":
      case "chosen":
        return;
      default:
        unreachable(shown);
    }
  };
  const retry = (next: RetryView) =>
    line(retryText(t, next, Math.ceil((Date.parse(next.at) - Date.now()) / 1_000)));
  const checkpoint = ({ keeping, kept, unfinished }: CheckpointView) => {
    if (keeping) line(keepingText(t, keeping));
    // Printed once, before the command runs.
    const notKept = unfinished ? (kept?.notKept ?? []) : [];
    for (const each of notKept) if (each.why !== "unknown") line(oneLine(notKeptText(t, each)));
  };
  return {
    print(event) {
      switch (event.type) {
        case "delta":
          if (event.kind === "text") say(`${event.messageId}:${event.block}`, event.delta);
          return;
        case "call-text":
          return say(event.callId, event.delta);
        case "call-running":
          return running(row(event.callId));
        case "child":
          return step(event);
        case "output":
          return void screen.err(outputOf(event.callId).push(event.delta));
        case "message":
          return event.message.blocks.forEach(block);
        case "status":
          if (event.status === "idle") close();
          if (event.retry) retry(event.retry);
          return;
        case "error":
          line(`nekode: ${terminalErrorText(t, event.error)}`);
          if (errorDetail(event.error) !== "") line(`  ${errorDetail(event.error)}`);
          return;
        case "notice":
          return line(noticeText(t, event.code, saidHere(event)).replaceAll("\n", "\n  "));
        case "checkpoint":
          return checkpoint(event.checkpoint);
        // Printed when it runs: `call-running`, or with the message that contains it.
        case "call":
        case "call-done":
          return;
        // `runInTerminal` asks the user, and prints the question.
        case "approval":
        case "form":
        case "prepared":
          return;
        // The message that contains the answers of a comparison prints them as a whole.
        case "comparison":
        case "comparison-delta":
        case "comparison-call":
        case "comparison-done":
          return;
        // The command with which the user chose these prints the choice.
        case "mode":
        case "model":
        case "permission":
          return;
        // These change state that a terminal does not show.
        case "session":
        case "title":
        case "begins-in-worktree":
        case "plan":
        case "background":
        case "earlier":
        case "request":
        case "totals":
        case "todo":
        case "queue":
          return;
        default:
          unreachable(event);
      }
    },
  };
}

/** The values of a notice, without what a server printed: `failureLines` prints that. */
function saidHere({ code, values }: Extract<TaskEvent, { type: "notice" }>): readonly string[] | undefined {
  return /^server-(?:ended|gave-up|not-started)$/.test(code) ? values?.slice(0, 3) : values;
}
