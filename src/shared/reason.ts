/**
 * Why something runs, asks or is refused, as data: a stable code and its values. The words for each code, in the user's
 * language, are in `words/reasons`.
 */
import * as z from "zod";

/** They repeat what kind of call it is: rows and approvals leave them out. */
export const ordinaryReasons = {
  "reading-asks": [],
  "editing-asks": [],
  "commands-ask": [],
  "web-asks": [],
  "mcp-asks": [],
  none: [],
} as const;

/** What the settings, the mode and the limits of a task say. */
export const policyReasons = {
  "allow-listed": ["entry"],
  "all-commands-approved": [],
  "reading-approved": [],
  "editing-approved": [],
  "web-approved": [],
  "mcp-approved": [],
  talk: [],
  "inside-project": [],
  "not-judged": [],
  "unknown-access": [],
  "requests-used-up": ["count"],
  "cost-used-up": ["usd"],
  "requires-approval": [],
  "always-asks": [],
  "waited-before": [],
  "cannot-be-kept": [],
  "plan-mode": [],
  "plan-mode-only": [],
  "deny-listed": ["entry"],
} as const;

/** Why a command line is not read for certain, or is read as something that the shell changes. */
export const syntaxReasons = {
  "hidden-character": ["name"],
  "unusual-white-space": ["name"],
  background: [],
  unparsed: [],
  "unexpected-sign": ["sign"],
  ambiguous: [],
  "unknown-shell": [],
  "command-substitution": [],
  redirection: [],
  "computed-name": [],
  unclosed: [],
  empty: [],
  "too-long": [],
  "unsupported-syntax": ["what"],
  variable: ["name"],
  expansion: [],
  assignment: [],
  arithmetic: [],
  "brace-expansion": [],
  "history-expansion": [],
  "named-home": [],
  "descriptor-variable": [],
  "zsh-expansion": [],
  "fish-expansion": [],
  "coded-characters": [],
  "fish-escape": [],
  "unquoted-sign": ["sign"],
  parenthesis: [],
  "translated-string": [],
  "pipe-of-errors": [],
  "word-boundary": [],
  comment: [],
  "several-words": [],
  "powershell-word": [],
  "powershell-parameter": [],
  "cmd-word": [],
  "script-changed-by-shell": [],
  "missing-argument": ["program"],
} as const;

/** About paths, and the files that a command touches. */
export const fileReasons = {
  "output-unresolved": [],
  "path-unresolved": [],
  "path-unusable": [],
  "alternate-data-stream": [],
  "path-on-another-machine": [],
  "project-folder-itself": [],
  "reads-secret-file": ["path"],
  "reads-ignored-file": ["path"],
  "folder-not-searchable": ["path"],
  "ignored-file": [],
  "ignored-name": ["path"],
  "pattern-several-files": ["word"],
  "pattern-option": ["word"],
  "pattern-secret": ["word", "name"],
  "outside-project": ["path"],
  "link-elsewhere": ["path"],
  "steers-what-runs": ["name"],
  "git-hook": [],
  "package-scripts": [],
  "cargo-build": [],
  "secret-file": ["name"],
  "configured-secret-file": ["path"],
  "configured-secret": ["setting"],
  "other-programs-memory": [],
  "short-name": ["name"],
  "windows-device": ["name"],
} as const;

/** About what a program may do with its words. */
export const commandReasons = {
  "repository-runs-program": ["what"],
  "submodule-runs-program": ["what", "folder"],
  "repository-unclear": ["path"],
  "program-from-project": ["name", "entry"],
  "not-listed": ["name"],
  "not-listed-in-folder": ["command", "folder"],
  interpreter: ["name"],
  "runs-commands": ["name"],
  "changes-shell": ["name"],
  "option-of-program": ["name", "option"],
  option: ["option"],
  "options-of-program": ["name"],
  "read-as-option": ["word"],
  "git-force": ["word"],
  "git-helper": ["word"],
  "git-steered": ["name"],
  "git-elsewhere": [],
  "git-link": ["path"],
  "git-outside": [],
  "git-notes": [],
  "git-changed-word": ["word"],
  "git-object": [],
  "git-changes": ["name"],
  "git-subcommand": ["name"],
  "script-shell-changes-word": ["word"],
  "not-a-file": ["word"],
  "on-another-machine": ["word"],
  "not-a-plain-address": ["word"],
  "changes-computer": [],
  "writes-file": [],
  "takes-from-file": [],
  "shows-secrets": [],
  archive: [],
  "files-from-pipe": ["name"],
  "filter-reads-more": [],
  "format-runs-program": [],
  "script-writes-or-runs": [],
  "leaves-folder": [],
  "many-folders": [],
  "words-evaluated": [],
} as const;

/** Why a file, a page or a repository that the user named could not be used. Each has at most one value. */
export const faultReasons = {
  "system-error": ["words"],
  "no-such-file": [],
  "no-permission": [],
  "is-a-folder": [],
  "not-a-regular-file": [],
  "link-circle": [],
  "path-too-long": [],
  "file-too-large": ["size"],
  "file-changed": [],
  "folder-moved": [],
  "not-saved": [],
  "content-not-kept": [],
  "page-timeout": ["seconds"],
  "server-status": ["status"],
  "endless-redirects": [],
  "not-an-address": [],
  "not-http": [],
  "address-with-password": [],
  "no-address": ["host"],
  "not-public": ["host"],
  "not-a-page": ["type"],
  "page-not-text": [],
  "git-missing": [],
  "git-timeout": [],
  "not-in-repository": [],
  "not-a-commit": [],
} as const;

const reasons = {
  ...ordinaryReasons,
  ...policyReasons,
  ...syntaxReasons,
  ...fileReasons,
  ...commandReasons,
  ...faultReasons,
};
type Reasons = typeof reasons;

type Strings<Names extends readonly string[]> = { readonly [I in keyof Names]: string };
type Values = { [C in keyof Reasons]: Strings<Reasons[C]> };

export type ReasonCode = keyof Reasons;
/** As many as the table names. */
export type ReasonValues<C extends ReasonCode> = Values[C];
/** Of a union of codes, the union of their reasons. */
export type Reason<C extends ReasonCode = ReasonCode> = {
  [K in C]: { readonly code: K; readonly values: Values[K] };
}[C];

/** Why something that the user named could not be used. */
export type Fault = Reason<keyof typeof faultReasons>;

export function reasonOf<C extends ReasonCode>(code: C, ...values: ReasonValues<C>): Reason<C> {
  return { code, values };
}

export function sameReason(a: Reason, b: Reason): boolean {
  return a.code === b.code && a.values.every((value, i) => value === b.values[i]);
}

const isCode = (code: string): code is ReasonCode => Object.hasOwn(reasons, code);

const shape = z.object({ code: z.string(), values: z.array(z.string()) });

/** A code of the table with the number of values that it has. */
export const reasonSchema = z.custom<Reason>((value) => {
  const { data } = shape.safeParse(value);
  return data !== undefined && isCode(data.code) && reasons[data.code].length === data.values.length;
});
