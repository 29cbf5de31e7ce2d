/** What a task tells, on a terminal: the answer on standard output, everything about it on standard error. */
import type { ErrorView, TaskEvent } from "../shared/event.ts";
import { noticeText } from "../shared/notice-texts.ts";
import { callStateText, callTitle, errorText, retryText, type Translate } from "../shared/texts.ts";
import type { CallRow, ChatView } from "../shared/view.ts";
import { blockNotice, rowsOf } from "../shared/view.ts";
import { visible } from "../shared/visible.ts";

export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Standard output is a terminal, which obeys control characters: none of the model's reach it. */
  isTerminal: boolean;
}

/** Without what a terminal would obey. Stateless, so that it holds for any cut of a text. */
function harmless(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => visible(character));
}

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
export function jsonPrinter(output: Output): Printer {
  return { print: (event) => output.out(`${JSON.stringify(event)}\n`) };
}

export function textPrinter(output: Output, t: Translate, view: () => ChatView): Printer {
  /** What the last line of standard output is about: a change of it starts a new paragraph. */
  let open = "";
  const say = (key: string, delta: string) => {
    if (open !== key && open !== "") output.out("\n");
    open = key;
    output.out(output.isTerminal ? harmless(delta) : delta);
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
  /** What a call offers beside its text: answers by number, a command that the person may run. */
  const offer = (call: CallRow | undefined) => {
    const options = (call?.options ?? []).map((option, index) => `  ${index + 1}. ${option}`);
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
          if (call) line(`> ${callTitle(t, call.tool, "running")} ${call.subject}`);
          return;
        }
        case "output":
          output.err(event.delta);
          return;
        case "message":
          for (const block of event.message.blocks) {
            if (block.type === "tool-call") offer(row(block.id));
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
          line(`nekode: ${terminalErrorText(t, event.error)}`);
          if (event.error.detail) output.err(`  ${harmless(event.error.detail)}\n`);
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
