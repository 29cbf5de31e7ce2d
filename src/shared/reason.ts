/**
 * Why something runs, asks or is refused, as data: a code and its values. `words/reasons` has the words for each code,
 * in the user's language.
 */

/** Whether something may run: without approval, if the user approves, or not at all. */
export type Verdict = "allow" | "ask" | "deny";

/** Reasons that only repeat the kind of call; rows and approvals omit them. */
export interface OrdinaryReasons {
  "reading-asks": [];
  "editing-asks": [];
  "commands-ask": [];
  "web-asks": [];
  "mcp-asks": [];
  "extension-asks": [];
  none: [];
}

/** Reasons from the settings, the mode and the limits of a task. */
export interface PolicyReasons {
  "allow-listed": [entry: string];
  "all-commands-approved": [];
  "command-approved": [];
  "in-sandbox": [];
  "outside-sandbox": [];
  "needs-network": [];
  "runs-in-editor": [];
  "sandbox-required": [];
  "reads-without-sandbox": [];
  "reading-approved": [];
  "editing-approved": [];
  "web-approved": [];
  "page-received": [];
  "mcp-approved": [];
  "site-asks": [site: string];
  "site-private": [site: string];
  "site-own-browser": [site: string];
  "site-granted": [site: string];
  "site-unchanged": [];
  "mcp-tool-approved": [];
  "mcp-tool-changed": [];
  "mcp-destructive": [];
  "mcp-plan-mode": [];
  talk: [];
  "inside-project": [];
  "not-judged": [];
  "unknown-access": [];
  "managed-asks": [managedBy: string];
  "requires-approval": [];
  "always-asks": [];
  "hook-asks": [why: string];
  "hook-denied": [why: string];
  "may-omit-code": [line: string, text: string];
  /** `before`: the note that is replaced or forgotten; "": none. */
  "memory-asks": [before: string];
  "memory-untrusted": [before: string];
  "waited-before": [];
  "cannot-be-kept": [];
  "plan-mode": [];
  "plan-mode-only": [];
  "agent-tool": [agent: string];
  "tool-off": [];
  "agent-commands": [agent: string, commands: string];
  "agent-files": [agent: string, patterns: string];
  "deny-listed": [entry: string];
}

/** Why a command line cannot be read with certainty, or is read as something that the shell changes. */
export interface SyntaxReasons {
  "hidden-character": [name: string];
  "unusual-white-space": [name: string];
  background: [];
  unparsed: [];
  "unexpected-sign": [sign: string];
  ambiguous: [];
  "unknown-shell": [];
  "command-substitution": [];
  redirection: [];
  "computed-name": [];
  unclosed: [];
  empty: [];
  "too-long": [];
  "unsupported-syntax": [what: string];
  variable: [name: string];
  expansion: [];
  assignment: [];
  arithmetic: [];
  "brace-expansion": [];
  "history-expansion": [];
  "named-home": [];
  "descriptor-variable": [];
  "zsh-expansion": [];
  "fish-expansion": [];
  "coded-characters": [];
  "fish-escape": [];
  "unquoted-sign": [sign: string];
  parenthesis: [];
  "translated-string": [];
  "pipe-of-errors": [];
  "word-boundary": [];
  comment: [];
  "several-words": [];
  "powershell-word": [];
  "powershell-parameter": [];
  "cmd-word": [];
  "missing-argument": [program: string];
}

/** Reasons about paths and the files that a command touches. */
export interface FileReasons {
  "path-unresolved": [];
  "path-unusable": [];
  "alternate-data-stream": [];
  "path-on-another-machine": [];
  "project-folder-itself": [];
  "marked-read-only": [];
  "reads-folder": [path: string];
  "ignored-file": [];
  "ignored-name": [path: string];
  "pattern-several-files": [word: string];
  "pattern-option": [word: string];
  "pattern-secret": [word: string, name: string];
  "outside-project": [path: string];
  "original-of-copy": [path: string];
  "link-elsewhere": [path: string];
  "steers-what-runs": [name: string];
  "git-hook": [];
  "package-scripts": [];
  "cargo-build": [];
  "composer-scripts": [];
  "secret-file": [name: string];
  "configured-secret": [setting: string];
  "history-secret": [name: string];
  "other-programs-memory": [];
  "short-name": [name: string];
  "windows-device": [name: string];
}

/** Reasons about what a program may do with its arguments. */
export interface CommandReasons {
  "repository-runs-program": [what: string];
  "repository-unclear": [path: string];
  "program-from-project": [name: string, entry: string];
  "not-listed": [name: string];
  "not-listed-in-folder": [command: string, folder: string];
  interpreter: [name: string];
  "runs-commands": [name: string];
  "changes-shell": [name: string];
  "option-of-program": [name: string, option: string];
  option: [option: string];
  "options-of-program": [name: string];
  "git-steered": [name: string];
  "git-elsewhere": [];
  "git-outside": [];
  "git-changes": [name: string];
  "git-subcommand": [name: string];
  "not-a-file": [word: string];
  "on-another-machine": [word: string];
  "writes-file": [];
  archive: [];
  "files-from-pipe": [name: string];
  "filter-reads-more": [];
  "script-writes-or-runs": [];
  "leaves-folder": [];
  "many-folders": [];
}

/** Why a file, a page, a repository or a server that the user named could not be used. Each has at most one value. */
export interface FaultReasons {
  "system-error": [words: string];
  "no-such-file": [];
  "no-permission": [];
  "is-a-folder": [];
  "not-a-regular-file": [];
  "link-circle": [];
  "path-too-long": [];
  "file-too-large": [size: string];
  "file-changed": [];
  "front-matter-not-yaml": [line: string];
  "front-matter-field": [field: string];
  "front-matter-too-large": [limit: string];
  "folder-moved": [];
  "not-saved": [];
  "content-not-kept": [];
  "page-timeout": [seconds: string];
  "server-status": [status: string];
  "headless-shell": [];
  "endless-redirects": [];
  "not-an-address": [];
  "not-http": [];
  "address-with-password": [];
  "address-with-key": [];
  "no-address": [host: string];
  "not-public": [host: string];
  "not-a-page": [type: string];
  "page-not-text": [];
  "git-missing": [];
  "git-timeout": [];
  "not-in-repository": [];
  "not-a-commit": [];
  "repository-bare": [];
  "repository-empty": [];
  "revision-unknown": [revision: string];
  "git-outdated": [version: string];
  "git-identity": [];
  "git-merging": [];
  "git-filter": [path: string];
  "disk-full": [];
  "worktree-gone": [];
  "worktree-locked": [path: string];
  "worktree-busy": [];
  "worktree-branch": [branch: string];
  "worktree-setup": [output: string];
  "memory-unusable": [file: string];
  "server-url": [];
  "variable-unset": [names: string];
  "variable-unsupported": [names: string];
  "variable-needs-folder": [name: string];
  "input-unanswered": [id: string];
  "input-unset": [variable: string];
  "config-not-json": [line: string];
  "no-server-in-text": [];
  "unusable-server-name": [name: string];
  "quote-not-closed": [];
}

/** What is wrong in a configuration file of MCP servers. `key` is a key of the JSON, such as `args[0]`. */
export interface ServerReasons {
  "not-json": [];
  "unknown-key": [key: string];
  "must-be-string": [key: string];
  "must-be-number": [key: string];
  "must-be-boolean": [key: string];
  "must-be-list": [key: string];
  "must-be-object": [key: string];
  "must-be-scalar": [key: string];
  "must-be-one-of": [key: string, values: string];
  "must-be-between": [key: string, least: string, most: string];
  "must-not-be-empty": [key: string];
  "invalid-value": [key: string];
  "server-name-unusable": [name: string];
  "server-renamed": [name: string];
  "server-repeated": [];
  "server-hidden": [file: string];
  "server-incomplete": [];
  "server-command-and-url": [];
  "server-key-missing": [key: string, type: string];
  "server-env-file": [];
  "project-approves-tools": [];
  "input-undefined": [id: string];
}

/** Why an entry of a file of hooks cannot be used, or why a hook does not run. */
export interface HookReasons {
  "hook-event-unknown": [name: string];
  "hook-type-unsupported": [type: string];
  "hook-command-missing": [];
  "hook-matcher-unusable": [matcher: string];
  "hook-changed": [];
  "hook-gone": [];
  "hook-unapproved": [];
  /** `hash`: that of the hook, which the administrator could allow. */
  "hook-managed": [managedBy: string, hash: string];
}

/**
 * Why an MCP server could not be started, reached or used, or why it ended. Each has at most one value. `said`: cleaned and
 * bounded words of the server. `detail`: what the system or a library reports, in English.
 */
export interface McpReasons {
  "mcp-folder-missing": [path: string];
  "mcp-program-missing": [path: string];
  "mcp-command-missing": [command: string];
  "mcp-start-failed": [detail: string];
  "mcp-guard-missing": [];
  "mcp-guard-failed": [detail: string];
  "mcp-exited": [];
  "mcp-exit-code": [code: string];
  "mcp-ended-by": [signal: string];
  "mcp-nothing-to-run": [];
  "mcp-closed": [];
  "mcp-connection-lost": [];
  "mcp-too-much": [];
  "mcp-not-messages": [];
  "mcp-not-reading": [];
  "mcp-timeout": [seconds: string];
  "mcp-answer-invalid": [detail: string];
  "mcp-version": [];
  "mcp-error": [said: string];
  "mcp-status": [said: string];
  "mcp-denied": [said: string];
  "mcp-redirects": [status: string];
  "mcp-header-refused": [];
  "mcp-too-many-questions": [];
  "mcp-address-declined": [];
  "mcp-connection-refused": [address: string];
  "mcp-certificate": [detail: string];
  "mcp-unreachable": [detail: string];
  "mcp-failed": [detail: string];
  "mcp-sign-in": [];
  "mcp-off": [];
  /** `hash`: that of the configuration, which the administrator could allow. */
  "mcp-managed": [managedBy: string, hash: string];
  "mcp-unapproved": [];
  "mcp-untrusted-workspace": [];
  "mcp-gave-up": [times: string];
  "mcp-config-changed": [];
  "mcp-unknown": [name: string];
}

/** Why signing in to an MCP server failed. Values as in `McpReasons`; `said`: words of the authorization server. */
export interface SignInReasons {
  "sign-in-none": [];
  "sign-in-no-browser": [];
  "sign-in-no-metadata": [issuer: string];
  "sign-in-no-pkce": [issuer: string];
  "sign-in-insecure": [address: string];
  "sign-in-private": [address: string];
  "sign-in-other-metadata": [issuer: string];
  "sign-in-other-resource": [];
  "sign-in-not-registered": [said: string];
  "sign-in-no-registration": [];
  "sign-in-unsupported": [detail: string];
  "sign-in-status": [status: string];
  "sign-in-invalid": [detail: string];
  "sign-in-late": [];
  "sign-in-no-address": [];
  "sign-in-unanswered": [minutes: string];
  "sign-in-other-state": [];
  "sign-in-other-issuer": [issuer: string];
  "sign-in-denied": [said: string];
  "sign-in-no-code": [];
  "sign-in-code-refused": [said: string];
  "sign-in-refused": [said: string];
  "sign-in-no-token": [];
}

export interface ReasonValues
  extends OrdinaryReasons,
    PolicyReasons,
    SyntaxReasons,
    FileReasons,
    CommandReasons,
    ServerReasons,
    FaultReasons,
    McpReasons,
    SignInReasons,
    HookReasons {}
export type ReasonCode = keyof ReasonValues;

/** For a union of codes, the union of their reasons. */
export type Reason<C extends ReasonCode = ReasonCode> = {
  [K in C]: { readonly code: K; readonly values: Readonly<ReasonValues[K]> };
}[C];
/** Why something that the user named could not be used. */
export type Fault = Reason<
  keyof FaultReasons | keyof McpReasons | keyof SignInReasons | keyof HookReasons | "link-elsewhere"
>;

export function reasonOf<C extends ReasonCode>(code: C, ...values: ReasonValues[C]): Reason<C> {
  return { code, values };
}

/** The form sent to the panel, in `--json` output and on disk. Another version may have other codes. */
export interface ReasonData {
  readonly code: string;
  readonly values: readonly string[];
}

export function sameReason(a: ReasonData, b: ReasonData): boolean {
  return a.code === b.code && a.values.join("\0") === b.values.join("\0");
}
