/** What a task tells, on a terminal: the answer on standard output, everything about it on standard error. */

import type { ErrorView, TaskEvent } from "../shared/event.ts";
import { faceOf } from "../shared/tool-face.ts";
import type { CallRow, ChatView } from "../shared/view/reducer.ts";
import { blockNotice, rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import { keepingText, notKeptText } from "../shared/words/checkpoint-words.ts";
import { noticeText } from "../shared/words/notice-words.ts";
import { refusalText } from "../shared/words/reasons/reasons.ts";
import {
  callStateText,
  callTitle,
  errorText,
  retryText,
  type Translate,
} from "../shared/words/task-words.ts";
import { CommandOutput, jsonLine, oneLine, type Screen } from "./screen.ts";

export interface Printer {
  print(event: TaskEvent): void;
}

/** As elsewhere, but what to change is an option or a variable here. */
function terminalErrorText(t: Translate, error: ErrorView): string {
  switch (error.code) {
    case "no-endpoint":
      return t("No endpoint is named. Use --base-url or NEKODE_BASE_URL, and --model or NEKODE_MODEL.");
    case "no-model":
      return t("No model is named. Use --model or NEKODE_MODEL.");
    case "no-key":
    case "bad-key":
    case "unusable-key":
      return `${errorText(t, error).text} ${t("It is taken from NEKODE_API_KEY.")}`;
    default:
      return errorText(t, error).text;
  }
}

/** One event a line, nothing else on standard output. */
export function jsonPrinter(screen: Screen): Printer {
  return { print: (event) => void screen.out(jsonLine(event)) };
}

export function textPrinter(screen: Screen, t: Translate, view: () => ChatView): Printer {
  /** What the last line of standard output is about: a change of it starts a new paragraph. */
  let open = "";
  const outputs = new Map<string, CommandOutput>();
  const outputOf = (callId: string) => {
    const output = outputs.get(callId) ?? new CommandOutput();
    outputs.set(callId, output);
    return output;
  };
  const say = (key: string, delta: string) => {
    if (open !== key && open !== "") void screen.out("\n");
    open = key;
    void screen.out(delta);
  };
  const line = (text: string) => {
    if (open !== "") void screen.out("\n");
    open = "";
    void screen.err(`${visible(text)}\n`);
  };
  const row = (callId: string): CallRow | undefined => {
    const found = rowsOf(view()).findLast((candidate) => candidate.id === callId);
    return found?.kind === "call" ? found : undefined;
  };
  /** What a call offers beside its text: answers by number, a command that the person may run. */
  const offer = (call: CallRow | undefined) => {
    const options = (call?.options ?? []).map((option, index) => `  ${index + 1}. ${oneLine(option)}`);
    const proposal = call?.proposal === undefined ? [] : [`  $ ${visible(call.proposal)}`];
    for (const text of [...options, ...proposal]) say(text, text);
  };
  return {
    print(event) {
      switch (event.type) {
        case "delta":
          if (event.kind === "text") say(`${event.messageId}:${event.block}`, event.delta);
          return;
        case "call-text":
          say(event.callId, event.delta);
          return;
        case "call-running": {
          const call = row(event.callId);
          if (call) {
            const title = callTitle(t, faceOf(view().faces, call.tool), { ...call, state: "running" });
            line(`> ${oneLine(`${title} ${call.subject}`)}`);
          }
          return;
        }
        case "output":
          void screen.err(outputOf(event.callId).push(event.delta));
          return;
        case "message":
          for (const block of event.message.blocks) {
            if (block.type === "tool-call") offer(row(block.id));
            if (block.type === "tool-result") outputs.delete(block.callId);
            const notice = blockNotice(block);
            if (notice) line(noticeText(t, notice.code, notice.values));
            if (block.type !== "tool-result" || block.outcome === "done") continue;
            const call = row(block.callId);
            const state = callStateText(t, block.outcome);
            const why = refusalText(t, block.shown) ?? block.shown?.text ?? block.shown?.comment ?? "";
            const title = oneLine(`${call?.tool ?? block.name} ${call?.subject ?? ""}`);
            // Only its first line stands at the margin, where our own words begin.
            line(`> ${title}: ${state}${why === "" ? "" : `. ${why.replaceAll("\n", "\n  ")}`}`);
          }
          return;
        case "status":
          if (event.status === "idle" && open !== "") {
            void screen.out("\n");
            open = "";
          }
          if (event.retry) {
            const seconds = Math.ceil((Date.parse(event.retry.at) - Date.now()) / 1_000);
            line(retryText(t, event.retry, seconds));
          }
          return;
        case "error": {
          line(`nekode: ${terminalErrorText(t, event.error)}`);
          if (event.error.detail) line(`  ${event.error.detail}`);
          return;
        }
        case "notice":
          line(noticeText(t, event.code, event.values));
          return;
        case "checkpoint": {
          const { keeping, kept, unfinished } = event.checkpoint;
          if (keeping) line(keepingText(t, keeping));
          // Said before the command runs, and not again.
          if (unfinished) for (const each of kept?.notKept ?? []) line(oneLine(notKeptText(t, each)));
          return;
        }
        default:
      }
    },
  };
}
