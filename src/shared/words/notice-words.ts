/** The words for notices, and for the reasons that they name. */
import type { NoticeCode } from "../event.ts";
import type { RuleFault } from "../rule-list.ts";
import { storeProblemText } from "./history-words.ts";
import { wordsOfCode } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

export function noticeText(t: Translate, code: NoticeCode, values: readonly string[] = []): string {
  const value = values[0] ?? "";
  switch (code) {
    case "stopped":
      return t("Stopped.");
    case "interrupted":
      return t("This task was interrupted. Nothing was lost; send a message or retry to go on.");
    case "request-limit":
      return t("{0} requests were made for this message. Go on?", value);
    case "cost-limit":
      return t("This task has cost {0} USD. Go on?", value);
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
      return t("The answer was cut off at the model's output limit.");
    case "no-workspace":
      return t("No folder is open. Open one to let the agent read and change files.");
    case "context-shortened":
      if (value === "0")
        return t(
          "To fit the context window, the surroundings told in earlier turns are no longer sent to the model.",
        );
      return t(
        "To fit the context window, {0} earlier results are sent to the model as short notes. The session keeps them whole.",
        value,
      );
    case "context-pruned":
      return t(
        "The context window is full: {0} earlier messages are no longer sent to the model. The session keeps them.",
        value,
      );
    case "condensed":
      return t(
        "Condensed: a summary takes the place of {0} earlier messages. The session keeps them.",
        value,
      );
    case "condense-failed":
      return t("The conversation could not be condensed. Nothing was left out.");
    case "condense-nothing":
      return t("There is nothing to condense yet.");
    case "prompt-cut":
      return t(
        "The endpoint counted only {0} tokens of a request of about {1}: it seems to cut what is sent to it, so the model does not see everything. Give the model a larger context window where it runs (Ollama: OLLAMA_CONTEXT_LENGTH), and state that size in the settings.",
        value,
        values[1] ?? "",
      );
    case "rules-changed":
      return t("The rules changed, and the model is told: {0}", value);
    case "mention-failed":
      return t("Not included: {0}", listText(t, values, mentionFailureText));
    case "mention-cut":
      return t("Too long to go along whole, so the model gets the beginning and how to read on: {0}", value);
    case "mention-lossy":
      return t(
        "{0}: the editor did not pass on all of the output. The model is told where; run the command again, or select the output and add it.",
        value,
      );
    case "store-problem":
      return storeProblemText(t, value, values[1] ?? "");
    case "taken-over":
      return t(
        "Another window took this task over and goes on with it. Open it from the history to take it back.",
      );
    case "rules-left-out":
      return t("These rules were left out: {0}", listText(t, values, ruleFaultText));
  }
}

/** Why the model does not get what the person mentioned, by the codes of a `mention-failed` notice. */
export const mentionFailures = (t: Translate, detail: string) => ({
  missing: t("it does not exist"),
  outside: t("it is outside the workspace"),
  /** .nekodeignore names it. */
  ignored: t("it is named in .nekodeignore"),
  secret: t("it may hold secrets"),
  /** Where its path leads is not known for certain. */
  unclear: t("where the path leads could not be found out"),
  /** With its size in MB. */
  "too-large": t("it is too large ({0} MB)", detail),
  "not-text": t("it is not text"),
  /** A format that a tool reads: an image, a document. */
  "other-format": t("it is not text, but the model can open it with a tool"),
  "editor-only": t("this works in the editor alone"),
  "no-output": t("no output of a terminal was seen"),
  "no-web": t("no web pages can be fetched here"),
  "no-repository": t("no repository is open"),
  untrusted: t("git does not run in a folder that is not trusted"),
  "no-folder": t("no folder is open"),
  /** The workspace has no folder of that name. */
  "no-root": t("no folder of the workspace is called {0}", detail),
});
export type MentionFailure = keyof ReturnType<typeof mentionFailures>;

/** Another code is that of a reason; where it is none, the detail says why. */
export function mentionFailureText(t: Translate, code: string, detail: string): string {
  const texts: Readonly<Record<string, string>> = mentionFailures(t, detail);
  return texts[code] ?? wordsOfCode(t, code, detail) ?? detail;
}

/** What is wrong with a rules file, by its state; of one that cannot be read, the detail says why. */
export function ruleFaultText(t: Translate, state: string, detail = ""): string {
  const texts: Readonly<Record<string, string>> = {
    "too-large": t("it is larger than 100 KB"),
    "not-text": t("it is not text"),
    elsewhere: t("it is a link that leads out of the folder"),
    secret: t("it leads to a file that may hold secrets"),
    ignored: t("it is named in .nekodeignore"),
    "too-many": t("there are more than 60"),
    "no-room": t("all rules together are too long"),
    unreadable: detail || t("it cannot be read"),
  } satisfies Record<RuleFault, string>;
  return texts[state] ?? wordsOfCode(t, state, detail) ?? detail;
}

/** Each with its reason. `values` come in threes: a name, a code, and what that code is said with. */
function listText(t: Translate, values: readonly string[], why: typeof mentionFailureText): string {
  const texts: string[] = [];
  for (let at = 0; at < values.length; at += 3)
    texts.push(`${values[at]} (${why(t, values[at + 1] ?? "", values[at + 2] ?? "")})`);
  return texts.join(", ");
}
