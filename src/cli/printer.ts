/** What a task tells, on a terminal: the answer on standard output, everything about it on standard error. */
import type { TaskEvent } from "../shared/event.ts";
import {
  callStateText,
  callTitle,
  errorText,
  noticeText,
  retryText,
  type Translate,
} from "../shared/texts.ts";
import type { CallRow, ChatView } from "../shared/view.ts";
import { blockNotice, rowsOf } from "../shared/view.ts";

export interface Output {
  out(text: string): void;
  err(text: string): void;
}

export interface Printer {
  print(event: TaskEvent): void;
}

/** One event a line, nothing else on standard output. */
export function jsonPrinter(output: Output): Printer {
  return { print: (event) => output.out(`${JSON.stringify(event)}\n`) };
}

export function textPrinter(output: Output, t: Translate, view: () => ChatView): Printer {
  /** What the last line of standard output is about: a change of it starts a new paragraph. */
  let open = "";
  const say = (key: string, delta: string) => {
    if (open !== key && open !== "") output.out("\n");
    open = key;
    output.out(delta);
  };
  const line = (text: string) => {
    if (open !== "") output.out("\n");
    open = "";
    output.err(`${text}\n`);
  };
  const row = (callId: string): CallRow | undefined => {
    const found = rowsOf(view()).findLast((candidate) => candidate.id === callId);
    return found?.kind === "call" ? found : undefined;
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
          if (call) line(`> ${callTitle(t, call.tool, "running")} ${call.subject}`);
          return;
        }
        case "output":
          output.err(event.delta);
          return;
        case "message":
          for (const block of event.message.blocks) {
            const notice = blockNotice(block);
            if (notice) line(noticeText(t, notice.code, notice.values));
            if (block.type !== "tool-result" || block.outcome === "done") continue;
            const call = row(block.callId);
            const state = callStateText(t, block.outcome);
            const why = block.shown?.text ?? block.shown?.comment ?? "";
            line(
              `> ${call?.tool ?? block.name} ${call?.subject ?? ""}: ${state}${why === "" ? "" : `. ${why}`}`,
            );
          }
          return;
        case "status":
          if (event.status === "idle" && open !== "") {
            output.out("\n");
            open = "";
          }
          if (event.retry) {
            const seconds = Math.ceil((Date.parse(event.retry.at) - Date.now()) / 1_000);
            line(retryText(t, event.retry, seconds));
          }
          return;
        case "error": {
          line(`nekode: ${errorText(t, event.error).text}`);
          if (event.error.detail) output.err(`  ${event.error.detail}\n`);
          return;
        }
        case "notice":
          line(noticeText(t, event.code, event.values));
          return;
        default:
      }
    },
  };
}
