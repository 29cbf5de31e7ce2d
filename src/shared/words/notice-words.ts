/** The words for notices and the reasons that they contain. */
import type { NoticeCode } from "../event.ts";
import type { RuleFault } from "../rule-file.ts";
import type { PrefixBreakCause } from "../totals.ts";
import { storeProblemText } from "./history-words.ts";
import { hookRunText } from "./hook-words.ts";
import { planComparedText } from "./plan-words.ts";
import { wordsOfCode } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

export function noticeText(t: Translate, code: NoticeCode, values: readonly string[] = []): string {
  const [value = "", second = ""] = values;
  switch (code) {
    case "servers-starting":
      return t("Starting MCP servers: {0}", value);
    case "server-waits":
      return t("Waiting for the MCP server {0} before your message is sent", value);
    case "server-ended":
      return t(
        "The MCP server {0} ended unexpectedly. It is restarted when it is needed. {1}",
        value,
        failureText(t, values),
      );
    case "server-not-started":
      return t(
        "The MCP server {0} could not be started. Nekode tries again when it is needed. {1}",
        value,
        failureText(t, values),
      );
    case "server-gave-up":
      return t(
        "The MCP server {0} keeps failing and is not restarted. Restart it in the list of servers. {1}",
        value,
        failureText(t, values),
      );
    case "stopped":
      return t("Stopped.");
    case "interrupted":
      return t("This task was interrupted. Nothing was lost. Send a message or retry to continue.");
    case "imported":
      return t("Imported from {0}, read-only. Your next message continues the session as a copy.", value);
    case "request-limit":
      return t("Requests for this message: {0}. Continue?", value);
    case "managed-cost-limit":
      return t("This task has cost {0} USD. {1} does not allow a task to cost more.", value, second);
    case "managed-day-cost-limit":
      return t("Requests have cost {0} USD today. {1} does not allow a day to cost more.", value, second);
    case "cost-limit":
      return t("This task has cost {0} USD. Continue?", value);
    case "day-cost-limit":
      return t("Requests have cost {0} USD today. Continue?", value);
    case "day-request-limit":
      return t("Requests today: {0}. Continue?", value);
    case "cost-ahead":
      return t(
        "The next request sends about {0} tokens, about {1} USD without the answer. Continue?",
        value,
        values[1] ?? "",
      );
    case "mistake-limit":
      return t("The model made the same mistake {0} times in a row. A hint from you may help.", value);
    case "repeat-limit":
      return t(
        "The model made the same call {0} times with the same result. A hint from you may help.",
        value,
      );
    case "mode-plan":
      return t("Plan mode: nothing is changed.");
    case "mode-act":
      return t("Act mode: changes are made with your approval.");
    case "reply-cut":
      return t("The response was cut off at the model's output limit.");
    case "tools-refused":
      return t(
        "The endpoint refuses these tools, so they are not offered to the model: {0}. {1}",
        value,
        values[1] ?? "",
      );
    case "no-workspace":
      return t("No folder is open. Open one to let the agent read and change files.");
    case "context-shortened":
      if (value === "0")
        return t("Environment details from earlier turns were dropped to fit the context window.");
      return t(
        "{0} earlier results were shortened to fit the model's context window. The session keeps them in full.",
        value,
      );
    case "context-pruned":
      return t(
        "The context window is full: {0} earlier messages are no longer sent to the model. The session keeps them.",
        value,
      );
    case "condensed":
      return t("Condensed: a summary replaces {0} earlier messages. The session keeps the originals.", value);
    case "condense-failed":
      return t("The conversation could not be condensed. Nothing was removed.");
    case "condense-nothing":
      return t("There is nothing to condense yet.");
    case "refused-part":
      return value === "image"
        ? t("The endpoint refused an image, so it is no longer sent to this model. {0}", values[1] ?? "")
        : t(
            "The endpoint refused a message, so its content is no longer sent to this model. {0}",
            values[1] ?? "",
          );
    case "image-type":
      return t("Images of this type are not sent, because models do not accept it: {0}", value);
    case "refused-parts":
      return t(
        "The endpoint refused this request until {0} parts were left out of it. {1}",
        value,
        values[1] ?? "",
      );
    case "prefix-broken": {
      const [cause, tokens = "", cost] = [prefixBreakText(t, value), values[1], values[2]];
      return cost === undefined
        ? t("Prompt cache not used: {0}. About {1} tokens are processed and paid for again.", cause, tokens)
        : t(
            "Prompt cache not used: {0}. About {1} tokens are processed and paid for again, which costs about {2} USD more.",
            ...([cause, tokens, cost] as const),
          );
    }
    case "prompt-cut":
      return t(
        "The endpoint counted only {0} tokens in a request of about {1}. It seems to truncate requests, so the model does not see everything. Increase the context window on the server that runs the model (Ollama: OLLAMA_CONTEXT_LENGTH), and set the same size in Settings.",
        value,
        values[1] ?? "",
      );
    case "rules-changed":
      return t("The model has new or changed rules or skills: {0}", value);
    case "mention-failed":
      return t("Not included: {0}", listText(t, values, mentionFailureText));
    case "mention-cut":
      return t(
        "Too long to include in full. The model receives the beginning and can read the rest: {0}",
        value,
      );
    case "mention-lossy":
      return t(
        "{0}: the editor did not provide all of the output. The model sees where it is missing. Run the command again, or select the output and add it.",
        value,
      );
    case "store-problem":
      return storeProblemText(t, value, second);
    case "taken-over":
      return t("Another window took over this session. To continue here, open it from the history.");
    case "worktree-begun":
      return worktreeBegunText(t, values);
    case "worktree-gone":
      return value === ""
        ? t(
            "What is stored about the worktree of this task is unreadable, so nothing runs in it. Start a new task to continue.",
          )
        : t(
            "The worktree of this task no longer exists, so nothing runs in it. Its commits are on the branch {0}, if that still exists. End the worktree of this task to continue in the project's folder, or start a new task.",
            value,
          );
    case "worktree-in-use":
      return t(
        "Another task, window or terminal uses this worktree ({0}). Wait until it is done, or stop or close the task there.",
        value,
      );
    case "model-changed":
      return values[1] === "plan"
        ? t("Plan mode uses {0} from the next request.", value)
        : t("{0} is used from the next request.", value);
    case "missing-agent":
      return t("/{0} asks for the agent {1}, which does not exist here.", value, second);
    case "hook":
      return hookRunText(t, values);
    case "hook-stopped":
      return value === "" ? t("A hook ended the turn.") : t("A hook ended the turn: {0}", value);
    case "hook-blocked-message":
      return hookBlockedText(t, value);
    case "plan-compared":
      return planComparedText(t, values);
    case "hooks-waiting":
      return value === "1"
        ? t(
            "A hook does not run until you approve it. Review it in the list of hooks, in a terminal with: nekode hooks list",
          )
        : t(
            "{0} hooks do not run until you approve them. Review them in the list of hooks, in a terminal with: nekode hooks list",
            value,
          );
    case "memory-unusable":
      return t("The memory is not used: {0}", t("{0} is too large or not readable as text", value));
    case "rules-left-out":
      return t("These rules were not applied: {0}", listText(t, values, rulesFileFaultText));
  }
}

function hookBlockedText(t: Translate, why: string): string {
  return why === "" ? t("A hook blocked your message.") : t("A hook blocked your message: {0}", why);
}

/** What a new worktree lacks. `values`: see `worktree-begun`. */
function worktreeBegunText(
  t: Translate,
  [branch = "", uncommitted = "", ...rest]: readonly string[],
): string {
  const words: Readonly<Record<string, string>> = {
    filter: t("stored form, because programs such as Git LFS are not run"),
    link: t("a link to outside the repository"),
    submodule: t("a submodule whose commit is not on this computer"),
  };
  const parts = [t("This task works in a worktree, on the branch {0}.", branch)];
  if (uncommitted !== "" && uncommitted !== "0")
    parts.push(t("It does not have your uncommitted changes (files: {0}).", uncommitted));
  const differences: string[] = [];
  for (let at = 0; at < rest.length; at += 2)
    differences.push(`${rest[at]} (${words[rest[at + 1] ?? ""] ?? ""})`);
  if (differences.length > 0) parts.push(t("Different from your folder: {0}", differences.join(", ")));
  return parts.join(" ");
}

/** Why a server failed, after a sentence. `values`: its name, a code, the code's value, and what the server printed last. */
function failureText(t: Translate, [, code = "", value = "", output = ""]: readonly string[]): string {
  const reason = t("Reason: {0}", wordsOfCode(t, code, value) ?? code);
  return output === "" ? reason : `${reason}\n${t("The server's last output:")}\n${output}`;
}

/** Why the model does not get what the user mentioned, by the codes of a `mention-failed` notice. */
export const mentionFailures = (t: Translate, detail: string) => ({
  missing: t("the path does not exist"),
  outside: t("the path is outside the workspace"),
  /** .nekodeignore names it. */
  ignored: t("the path is listed in .nekodeignore"),
  secret: t("the file may contain secrets"),
  /** The target of its path cannot be determined with certainty. */
  unclear: t("the location that the path resolves to could not be determined"),
  /** With its size in MB. */
  "too-large": t("the file is too large: {0} MB", detail),
  "not-text": t("the content is not text"),
  /** A format that a tool can read: an image, a document. */
  "other-format": t("the content is not text, but the model can open it with a tool"),
  "editor-only": t("this mention works only in the editor"),
  "no-output": t("no terminal output is available"),
  /** With the number of lines that it has. */
  "no-lines": t("the file ends at line {0}", detail),
  "no-symbol": t("the file has no symbol named {0}", detail),
  "nothing-selected": t("nothing is selected in the editor"),
  "nothing-open": t("no file is open in an editor"),
  "no-web": t("web pages cannot be fetched here"),
  "no-repository": t("no repository is open"),
  untrusted: t("the folder is not trusted, so Git does not run in it"),
  "no-folder": t("no folder is open"),
  /** The workspace has no folder of that name. */
  "no-root": t("no folder of the workspace is named {0}", detail),
  "server-untrusted": t("approve the MCP server {0} in the list of servers first", detail),
  "server-off": t("the MCP server {0} is disabled", detail),
  "server-sign-in": t("sign in to the MCP server {0} in the list of servers first", detail),
  "server-not-ready": t("the MCP server {0} has not started yet", detail),
  /** With the error, in English. */
  "server-failed": t("the MCP server reported an error: {0}", detail),
});
export type MentionFailure = keyof ReturnType<typeof mentionFailures>;

/** Any other code is a reason code; if it is not, the detail gives the cause. */
export function mentionFailureText(t: Translate, code: string, detail: string): string {
  const texts: Readonly<Record<string, string>> = mentionFailures(t, detail);
  return texts[code] ?? wordsOfCode(t, code, detail) ?? detail;
}

/** Why a rules file or a workflow is not used; if the file cannot be read, the detail gives the cause. */
export function rulesFileFaultText(t: Translate, state: string, detail = ""): string {
  const texts: Readonly<Record<string, string>> = {
    "too-large": t("the file is larger than 100 KB"),
    "not-text": t("the content is not text"),
    "front-matter": detail || t("the front matter cannot be read"),
    elsewhere: t("the file is a link to a location outside the folder"),
    secret: t("the file is a link to a file that may contain secrets"),
    ignored: t("the path is listed in .nekodeignore"),
    "too-many": t("there are more than 60 rules files"),
    "no-room": t("all rules combined are too long"),
    unreadable: detail || t("the file cannot be read"),
  } satisfies Record<RuleFault, string>;
  return texts[state] ?? wordsOfCode(t, state, detail) ?? detail;
}

/** Each item with its reason. `values` come in threes: a name, a code, and the detail of that code. */
function listText(t: Translate, values: readonly string[], why: typeof mentionFailureText): string {
  const texts: string[] = [];
  for (let at = 0; at < values.length; at += 3)
    texts.push(`${values[at]} (${why(t, values[at + 1] ?? "", values[at + 2] ?? "")})`);
  return texts.join(", ");
}

/** Why a message with a prompt of a server is not sent. `usage`: the command with its arguments. */
export function promptFailureText(
  t: Translate,
  { command, code, detail, usage }: { command: string; code: string; detail: string; usage: string },
): string {
  switch (code) {
    case "missing-arguments":
      return t("{0} requires arguments that are missing: {1}. Usage: {2}", command, detail, usage);
    case "hook-blocked":
      return hookBlockedText(t, detail);
    case "no-prompt":
      return t("{0} was not sent: the MCP server {1} has no such prompt.", command, detail);
    default:
      return t("{0} was not sent: {1}.", command, mentionFailureText(t, code, detail));
  }
}

/** Why the endpoint's prompt cache does not apply to a request, within a sentence. */
export function prefixBreakText(t: Translate, cause: string): string {
  const words: Record<PrefixBreakCause, string> = {
    model: t("the model changed"),
    protocol: t("the model calls tools in another way"),
    tools: t("the tools changed"),
    instructions: t("the instructions changed"),
    form: t("the endpoint requires another format"),
    refused: t("refused content is left out"),
    window: t("the conversation was shortened"),
    unknown: t("the beginning of the request changed"),
  };
  return Object.entries(words).find(([name]) => name === cause)?.[1] ?? cause;
}
