/**
 * The words for what tasks report, for every host. `t` translates an English sentence with `{0}` placeholders; its
 * keys are those of `l10n/bundle.l10n.*.json`. A test checks that the bundles are complete.
 */
import type { Access, ChangedFile, ErrorView, RetryView } from "../event.ts";
import { type ToolFace, titleOf } from "../tool-face.ts";
import type { CallState } from "../view/reducer.ts";

export type Translate = (english: string, ...values: (string | number)[]) => string;

/** Returns a translator for a bundle; a missing key falls back to English. */
export function translator(bundle: Readonly<Record<string, string>>): Translate {
  return (english, ...values) =>
    (bundle[english] ?? english).replace(/\{(\d+)\}/g, (place, index: string) => {
      const value = values[Number(index)];
      return value === undefined ? place : String(value);
    });
}

/** Data could not be written to disk; the system's error message follows. */
export function notSavedText(t: Translate): string {
  return t("Could not save to disk. Free up disk space or make the folder writable, and try again.");
}

/** Commands run in a shell other than the user's. */
export function otherShellText(
  t: Translate,
  own: string,
  why: "missing" | "unknown" | "in-project",
  used: string,
): string {
  if (why === "in-project")
    return t("Your shell {0} is inside the project, so commands run in {1}.", own, used);
  return why === "missing"
    ? t("Your shell {0} does not exist, so commands run in {1}.", own, used)
    : t("Your shell {0} is not supported, so commands run in {1}.", own, used);
}

/** A phrase received as data. */
export function phraseText(translate: Translate, phrase: string): string {
  return translate(phrase);
}

/** What a call is doing or did: a short phrase that precedes its subject. Without a face, the tool's name. */
export function callTitle(
  t: Translate,
  face: ToolFace | undefined,
  { tool, state, subject = "" }: { tool: string; state: CallState; subject?: string },
): string {
  if (!face) return tool;
  const { doing, running = doing, done = doing } = titleOf(face, subject).title;
  // A failed or skipped call did nothing: only completed calls use the past tense.
  return phraseText(t, state === "done" ? done : state === "running" ? running : doing);
}

/** What a row shows of the subject after `callTitle`. */
export function callSubject(face: ToolFace | undefined, subject: string): string {
  return face ? titleOf(face, subject).subject : subject;
}

/** The title and the subject, in one line. */
export function callPhrase(
  t: Translate,
  face: ToolFace | undefined,
  call: { tool: string; state: CallState; subject: string },
): string {
  return `${callTitle(t, face, call)} ${callSubject(face, call.subject)}`.trim();
}

export function approvalQuestion(t: Translate, access: Access, created: boolean, face?: ToolFace): string {
  if (face?.question !== undefined) return phraseText(t, face.question);
  switch (access) {
    case "edit":
      return created ? t("Create this file?") : t("Apply this change?");
    case "command":
      return t("Run this command?");
    case "read":
      return t("Read this?");
    case "web":
      return t("Fetch this URL?");
    default:
      return t("Allow this?");
  }
}

/** What happens to one file of a call that changes several files. */
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

/** The first action that an error row offers; every error row also offers retry. */
export type ErrorAction = "settings" | "set-key" | "retry";

export function errorText(t: Translate, error: ErrorView): { text: string; action: ErrorAction } {
  const subject = error.subject ?? "";
  switch (error.code) {
    case "no-endpoint":
      return {
        text: t("No endpoint is configured. Set an endpoint and a model in Settings."),
        action: "settings",
      };
    case "no-model":
      return { text: t("No model is configured. Set one in Settings."), action: "settings" };
    case "no-key":
      return { text: t("{0} requires an API key.", subject), action: "set-key" };
    case "bad-key":
      return { text: t("{0} rejected the API key.", subject), action: "set-key" };
    case "unusable-key":
      return {
        text: t("The API key contains invalid characters. Copy the key again and set it."),
        action: "set-key",
      };
    case "unusable-header":
      return {
        text: t("The header {0} in Settings is not valid and cannot be sent.", subject),
        action: "settings",
      };
    case "bad-address":
      return {
        text: t("{0} is not a valid URL. It must begin with http:// or https://.", subject),
        action: "settings",
      };
    case "wrong-address":
      return {
        text: t("No API was found at {0}. Most base URLs end with /v1.", subject),
        action: "settings",
      };
    case "untrusted-certificate":
      return {
        text: t(
          "This computer does not trust the certificate of {0}. Install the certificate of the authority that issued it, or set NODE_EXTRA_CA_CERTS to its file.",
          subject,
        ),
        action: "retry",
      };
    case "unknown-model":
      return { text: t("The endpoint has no model named {0}.", subject), action: "settings" };
    case "unreachable":
      return {
        text: t("Could not connect to {0}. Check that it is running and that the URL is correct.", subject),
        action: "retry",
      };
    case "rate-limited":
      return { text: t("{0} is limiting requests.", subject), action: "retry" };
    case "server-error":
      return { text: t("{0} had a server error.", subject), action: "retry" };
    case "bad-request":
      return { text: t("{0} rejected the request.", subject), action: "settings" };
    case "bad-response":
      return {
        text: t("{0} returned something other than a model response.", subject),
        action: "settings",
      };
    case "empty-response":
      return { text: t("The model returned an empty response."), action: "retry" };
    case "context-length":
      return { text: contextLengthText(t, subject), action: "settings" };
    case "first-token-timeout":
      return { text: t("The model did not start to respond in time."), action: "retry" };
    case "idle-timeout":
      return { text: t("The model stopped before its response was complete."), action: "retry" };
    case "connection-lost":
      return { text: t("The connection was lost before the response was complete."), action: "retry" };
    case "redirected":
      return {
        text: t(
          "{0} redirects to another URL. Nekode does not send your API key and conversation there. If you trust that URL, use it as the base URL.",
          subject,
        ),
        action: "settings",
      };
    case "response-too-large":
      return { text: t("The endpoint sent more data in one response than Nekode accepts."), action: "retry" };
    case "not-saved":
      return { text: notSavedText(t), action: "retry" };
    case "internal":
      return { text: t("An internal error occurred in Nekode."), action: "retry" };
  }
}

/** Why a request failed, and in how many seconds it is retried. */
export function retryText(t: Translate, retry: RetryView, seconds: number): string {
  const { text } = errorText(t, retry.error);
  return seconds > 0
    ? t("{0} Retrying in {1} s ({2} of {3}).", text, seconds, retry.try, retry.of)
    : t("{0} Retrying… ({1} of {2})", text, retry.try, retry.of);
}

/** What a built-in slash command does; "" for any other. */
export function slashCommandText(t: Translate, name: string): string {
  switch (name) {
    case "newtask":
      return t("Continue in a new task with the key points of this one");
    case "compact":
    case "smol":
      return t("Condense the conversation into a summary");
    case "newrule":
      return t("Create a project rule from the conversation");
    case "deep-planning":
      return t("Analyze the project and write a full plan before coding");
    case "init":
      return t("Create AGENTS.md: how to work in this project");
    case "verify-page":
      return t("Open a page in the browser and report whether it works");
    case "reportbug":
      return t("Write a bug report about Nekode");
    default:
      return "";
  }
}

/** `subject`: what does not fit: the instructions, the newest message, or the whole request. */
function contextLengthText(t: Translate, subject: string): string {
  switch (subject) {
    case "instructions":
      return t(
        "The instructions, rules and tools alone exceed the model's context window. Choose a model with a larger window, or shorten your rules and custom instructions.",
      );
    case "message":
      return t(
        "This message exceeds the model's context window. Shorten it, mention fewer or smaller files, or choose a model with a larger window.",
      );
    default:
      return t(
        "The conversation no longer fits the model's context window. Condense it with /compact, start a new task, or set the size of the context window in Settings.",
      );
  }
}
