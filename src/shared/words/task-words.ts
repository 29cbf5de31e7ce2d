/**
 * The words for what tasks report, for every host. `t` translates an English sentence with `{0}` places; its keys are
 * those of `l10n/bundle.l10n.*.json`, which a test holds complete.
 */
import type { Access, ChangedFile, ErrorView, RetryView } from "../event.ts";
import type { ShownResult } from "../message.ts";
import { signalOfExit } from "../signals.ts";
import type { ToolFace } from "../tool-face.ts";
import type { CallState } from "../view/reducer.ts";

export type Translate = (english: string, ...values: (string | number)[]) => string;

/** A translator over a bundle; a missing key falls back to English. */
export function translator(bundle: Readonly<Record<string, string>>): Translate {
  return (english, ...values) =>
    (bundle[english] ?? english).replace(/\{(\d+)\}/g, (place, index: string) => {
      const value = values[Number(index)];
      return value === undefined ? place : String(value);
    });
}

/** The disk did not take what was said or done; the system's own words follow. */
export function notSavedText(t: Translate): string {
  return t("This could not be saved. Make room on the disk, or make its folder writable, and try again.");
}

/** How a command ended that did not succeed; no exit code: a signal ended it. */
export function exitText(t: Translate, exitCode: number | null, signal?: string | null): string {
  const ended = exitCode === null ? (signal ?? "SIGKILL") : signalOfExit(exitCode);
  return ended === undefined ? t("exit code {0}", exitCode ?? 0) : t("ended by {0}", ended);
}

/** Commands run in another shell than the person's own. */
export function otherShellText(
  t: Translate,
  own: string,
  why: "missing" | "unknown" | "in-project",
  used: string,
): string {
  if (why === "in-project")
    return t("Your shell {0} is in a folder of the project, so commands run in {1}.", own, used);
  return why === "missing"
    ? t("Your shell {0} does not exist, so commands run in {1}.", own, used)
    : t("Your shell {0} is not one that Nekode knows, so commands run in {1}.", own, used);
}

/** A phrase that came as data. */
export function phraseText(translate: Translate, phrase: string): string {
  return translate(phrase);
}

/** What a call is doing or did: a short phrase that stands before its subject. Without a face, the tool's name. */
export function callTitle(
  t: Translate,
  face: ToolFace | undefined,
  { tool, state }: { tool: string; state: CallState },
): string {
  if (!face) return tool;
  const { doing, running = doing, done = doing } = face.title;
  // What failed or was not run did not happen: only what is done is told in the past.
  return phraseText(t, state === "done" ? done : state === "running" ? running : doing);
}

/** The state in a word, for the end of a row and for screen readers; empty where the title says it. */
export function callStateText(t: Translate, state: CallState): string {
  switch (state) {
    case "approval":
      return t("waiting for your approval");
    case "failed":
      return t("failed");
    case "rejected":
      return t("rejected");
    case "interrupted":
      return t("interrupted");
    case "not-run":
      return t("not run");
    default:
      return "";
  }
}

/** What a call found, for the end of its line: its own text, with a bare count put into words. */
export function callDetail(
  translate: Translate,
  face: ToolFace | undefined,
  shown: ShownResult | undefined,
): string {
  const text = shown?.text ?? "";
  const { one, many, range } = face?.found ?? {};
  if (range !== undefined && /^\d+-\d+ \/ \d+$/.test(text)) return translate(range, text);
  const phrase = text === "1" ? one : many;
  return phrase === undefined || !/^\d+\+?$/.test(text) ? text : translate(phrase, text);
}

export function approvalQuestion(t: Translate, access: Access, created: boolean, face?: ToolFace): string {
  if (face?.question !== undefined) return phraseText(t, face.question);
  switch (access) {
    case "edit":
      return created ? t("Create this file?") : t("Save this change?");
    case "command":
      return t("Run this command?");
    case "read":
      return t("Read this?");
    case "web":
      return t("Open this address?");
    default:
      return t("Allow this?");
  }
}

/** What becomes of one file of a call that changes several. */
export function fileChangeText(t: Translate, kind: ChangedFile["kind"]): string {
  switch (kind) {
    case "add":
      return t("Creates");
    case "update":
      return t("Changes");
    case "delete":
      return t("Deletes");
    case "move":
      return t("Moves");
  }
}

/** The way out that an error row offers first; every one offers retry as well. */
export type ErrorAction = "settings" | "set-key" | "retry";

export function errorText(t: Translate, error: ErrorView): { text: string; action: ErrorAction } {
  const subject = error.subject ?? "";
  switch (error.code) {
    case "no-endpoint":
      return {
        text: t("No model is set up yet. Name an endpoint and a model in the settings."),
        action: "settings",
      };
    case "no-model":
      return { text: t("No model is chosen. Name one in the settings."), action: "settings" };
    case "no-key":
      return { text: t("{0} wants an API key, and none is set.", subject), action: "set-key" };
    case "bad-key":
      return { text: t("{0} does not accept the API key.", subject), action: "set-key" };
    case "unusable-key":
      return {
        text: t("The API key holds characters that a key cannot have. Set it again, from a fresh copy."),
        action: "set-key",
      };
    case "unusable-header":
      return { text: t("The header {0} of the settings cannot be sent.", subject), action: "settings" };
    case "bad-address":
      return {
        text: t("{0} is not an address. It begins with http:// or https://.", subject),
        action: "settings",
      };
    case "wrong-address":
      return {
        text: t("Nothing answers under {0}. Most addresses end with /v1.", subject),
        action: "settings",
      };
    case "untrusted-certificate":
      return {
        text: t(
          "This computer does not trust the certificate of {0}. Install the authority that issued it, or name its file in NODE_EXTRA_CA_CERTS.",
          subject,
        ),
        action: "retry",
      };
    case "unknown-model":
      return { text: t("The endpoint does not know the model {0}.", subject), action: "settings" };
    case "unreachable":
      return {
        text: t("{0} cannot be reached. Is it running, and is the address right?", subject),
        action: "retry",
      };
    case "rate-limited":
      return { text: t("{0} is limiting requests.", subject), action: "retry" };
    case "server-error":
      return { text: t("{0} reported a fault of its own.", subject), action: "retry" };
    case "bad-request":
      return { text: t("{0} refused the request.", subject), action: "settings" };
    case "bad-response":
      return {
        text: t("{0} answered with something that is not a model's answer.", subject),
        action: "settings",
      };
    case "empty-response":
      return { text: t("The model answered with nothing."), action: "retry" };
    case "context-length":
      return { text: contextLengthText(t, subject), action: "settings" };
    case "first-token-timeout":
      return { text: t("The model did not begin to answer in time."), action: "retry" };
    case "idle-timeout":
      return { text: t("The model stopped in the middle of its answer."), action: "retry" };
    case "connection-lost":
      return { text: t("The connection broke in the middle of the answer."), action: "retry" };
    case "redirected":
      return {
        text: t(
          "{0} redirects to another address, and Nekode does not send your key and conversation there. If you trust that address, use it as the base URL.",
          subject,
        ),
        action: "settings",
      };
    case "response-too-large":
      return { text: t("The endpoint sent more than Nekode accepts in one answer."), action: "retry" };
    case "not-saved":
      return { text: notSavedText(t), action: "retry" };
    case "internal":
      return { text: t("Something went wrong in Nekode."), action: "retry" };
  }
}

/** Why a request failed, and when it is tried again, in seconds from now. */
export function retryText(t: Translate, retry: RetryView, seconds: number): string {
  const { text } = errorText(t, retry.error);
  return seconds > 0
    ? t("{0} Trying again in {1} s ({2} of {3}).", text, seconds, retry.try, retry.of)
    : t("{0} Trying again… ({1} of {2})", text, retry.try, retry.of);
}

/** What a slash command of the product's own does; "" for any other. */
export function slashCommandText(t: Translate, name: string): string {
  switch (name) {
    case "newtask":
      return t("Go on in a new task, with what matters of this one");
    case "compact":
    case "smol":
      return t("Condense the conversation into a summary");
    case "newrule":
      return t("Keep what was agreed on as a rule for this project");
    case "deep-planning":
      return t("Study the project and write a complete plan before any code");
    case "init":
      return t("Write AGENTS.md: how to work in this project");
    case "reportbug":
      return t("Write a report about a fault of Nekode");
    default:
      return "";
  }
}

/** `subject` says what it is that does not fit: the instructions, the newest message, or the whole. */
function contextLengthText(t: Translate, subject: string): string {
  switch (subject) {
    case "instructions":
      return t(
        "The instructions, rules and tools alone do not fit the model's context window. Choose a model with a larger window, or shorten your rules and custom instructions.",
      );
    case "message":
      return t(
        "This message does not fit the model's context window. Shorten it, mention fewer or smaller files, or choose a model with a larger window.",
      );
    default:
      return t(
        "The conversation no longer fits the model's context window. Condense it with /compact, begin a new task, or set the window's size in the settings.",
      );
  }
}
