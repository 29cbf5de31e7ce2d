/** Decides whether an invocation runs, asks or is refused, from the user's settings and the judges' verdicts. */

import type { Access } from "../../shared/event.ts";
import { type Reason, type ReasonCode, reasonOf, type Verdict } from "../../shared/reason.ts";
import type { Settings } from "../../shared/settings.ts";
import { accessUnder, type Ceiling } from "../policy/admin-policy.ts";
import type { ApprovedPlace, SandboxPlace } from "../ports/sandbox.ts";

/** `nekode.approval.*`, of which the limits are looked after elsewhere. */
type ApprovalSettings = Pick<
  Settings["approval"],
  | ("read" | "readOutside" | "edit" | "editOutside" | "web" | "mcp")
  | ("commandRead" | "commandSafe" | "commandAll" | "ignoreRequiresApproval")
>;

export interface DecisionInput {
  access: Access;
  mode: "plan" | "act";
  settings: ApprovalSettings;
  /** The verdict on every path that the invocation touches. */
  paths?: readonly JudgedPath[];
  /** The verdict on the command for access "command"; without it, a command asks. */
  command?: {
    verdict: Verdict;
    reason: Reason;
    requiresApproval?: boolean;
    /** It is allowed, by built-in entries alone: nothing in it changes files. */
    onlyReads?: boolean;
    /** An entry of the user's own list covers it. */
    isListed?: boolean;
    /** The model asks to run it there. */
    wanted?: ApprovedPlace;
    /** The user approved this command before the model asked for it, to run there. */
    approved?: ApprovedPlace;
  };
  /** For access "command": the editor runs code of the project itself, without a command. */
  runsInEditor?: boolean | undefined;
  /** For access "command": the sandbox, and whether nothing runs unasked without one. Absent: there is none to wait for. */
  sandbox?: { isThere: boolean; isRequired: boolean };
  /** For access "web": the site that the call contacts, if the tool names one. */
  site?: { name: string; isPrivate: boolean; isOwnBrowser?: boolean; standing?: "granted" | "harmless" };
  /** Access to the web that sends nothing, because the task already received the page. */
  received?: boolean;
  /** For access "mcp": what is known about the tool; without it, the call asks. */
  server?: ServerToolFacts;
  /** What the administrator lets run without asking at most. Absent: everything. */
  ceiling?: Ceiling;
}

/** What decides about a call of an MCP server. */
export interface ServerToolFacts {
  /** The user lets this tool run without approval. */
  always: boolean;
  /** The user marked the tool as only reading. */
  reading: boolean;
  /** The tool's definition changed since the user accepted it. */
  changed: boolean;
  /** The server says that the tool deletes or overwrites. What a server says can only add a question. */
  destructive: boolean;
  /** The tool is another extension's: only `always` lets it run without approval. */
  isOfExtension?: true;
}

/** The part of a path verdict that the policy needs (judge-path.ts). */
export interface JudgedPath {
  verdict: Verdict;
  reason: Reason;
  inside: boolean;
  guard?: string;
}

export interface PolicyDecision {
  decision: Verdict;
  reason: Reason;
  /**
   * A command that is allowed is allowed there alone. One that asks runs there once it is approved, if that is with network. Absent:
   * where the user's own commands run.
   */
  sandbox?: SandboxPlace;
}

const ask = (reason: Reason): PolicyDecision => ({ decision: "ask", reason });
const deny = (reason: Reason): PolicyDecision => ({ decision: "deny", reason });
const allow = (reason: Reason): PolicyDecision => ({ decision: "allow", reason });

/** Pure: the same input always gives the same decision. Anything that is not explicitly allowed asks. */
export function decide(input: DecisionInput): PolicyDecision {
  const own = decideFreely(input);
  const { ceiling, ...given } = input;
  if (!ceiling || own.decision === "deny") return own;
  const managed = decideFreely(under(ceiling, given));
  if (own.decision === "ask" && managed.decision === "allow") return own;
  const asksMore = managed.decision === "ask" && (own.decision === "allow" || !mayRun(input.access, ceiling));
  return asksMore && (own.decision === "allow" || ORDINARY.has(managed.reason.code))
    ? { ...managed, reason: reasonOf("managed-asks", ceiling.managedBy) }
    : managed;
}

/** Reasons that say nothing but that calls of this kind ask. */
const ORDINARY: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  ...(["reading-asks", "editing-asks", "commands-ask"] as const),
  ...(["web-asks", "site-asks", "mcp-asks", "extension-asks"] as const),
]);

/** Whether any call of this kind may run without asking. */
function mayRun(kind: Access, { access }: Ceiling): boolean {
  return kind === "talk" || access[kind === "command" ? "commandRead" : kind];
}

/** What a user, a session or a click allowed for later counts only as far as the ceiling does. */
function under({ access, needsSandbox }: Ceiling, input: DecisionInput): DecisionInput {
  const { command, server, site, sandbox, settings } = input;
  const allowed = accessUnder(settings, { access });
  const inSandbox = { commandSafe: allowed.commandSafe || allowed.commandAll, commandAll: false };
  const { standing, ...asked } = site ?? { name: "", isPrivate: false };
  return {
    ...input,
    settings: { ...allowed, ...(needsSandbox ? inSandbox : {}) },
    ...(command
      ? {
          command: { ...command, isListed: command.isListed === true && access.commandSafe && !needsSandbox },
        }
      : {}),
    ...(sandbox ? { sandbox: { ...sandbox, isRequired: sandbox.isRequired || needsSandbox } } : {}),
    ...(server ? { server: { ...server, always: server.always && access.mcp } } : {}),
    ...(site ? { site: access.web || standing !== "granted" ? site : asked } : {}),
  };
}

function decideFreely(input: DecisionInput): PolicyDecision {
  const { access, mode, settings, paths = [], command } = input;
  if (access === "talk") return allow(reasonOf("talk"));
  if (mode === "plan" && (access === "edit" || access === "command")) return deny(reasonOf("plan-mode"));
  if (mode === "plan" && access === "mcp" && input.server?.reading !== true)
    return deny(reasonOf("mcp-plan-mode"));
  const refused = paths.find((path) => path.verdict === "deny");
  if (refused) return deny(refused.reason);
  if (access === "command" && command?.verdict === "deny") return deny(command.reason);
  const guarded = paths.find((path) => path.guard !== undefined);
  if (guarded) return ask(guarded.reason);
  switch (access) {
    case "read":
      return files(paths, settings.read, settings.readOutside, READING);
    case "edit":
      return files(paths, settings.edit, settings.editOutside, EDITING);
    case "command":
      return input.runsInEditor ? runsInEditor(settings) : runs(command, settings, input.sandbox);
    case "web":
      return browses(input);
    case "mcp":
      return serverTool(input.server, settings);
    default:
      // Reached only from a host whose types are not checked. A new class does not compile here until it has a case.
      access satisfies never;
      return ask(reasonOf("unknown-access"));
  }
}

const READING = { asks: "reading-asks", approved: "reading-approved" } as const;
const EDITING = { asks: "editing-asks", approved: "editing-approved" } as const;

function files(
  paths: readonly JudgedPath[],
  inside: boolean,
  outside: boolean,
  { asks, approved }: typeof READING | typeof EDITING,
): PolicyDecision {
  if (!inside) return ask(reasonOf(asks));
  const stopped = paths.find((path) => path.verdict !== "allow" && !(outside && !path.inside));
  return stopped ? ask(stopped.reason) : allow(reasonOf(approved));
}

/**
 * Plan mode asks for each call that contacts a site, and the general setting covers neither private addresses nor the user's own
 * browser.
 */
function browses({ mode, settings, site, received }: DecisionInput): PolicyDecision {
  if (received) return allow(reasonOf("page-received"));
  if (site?.standing === "harmless") return allow(reasonOf("site-unchanged"));
  if (site?.standing === "granted" && mode === "act") return allow(reasonOf("site-granted", site.name));
  if (site?.isPrivate) return ask(reasonOf("site-private", site.name));
  if (site?.isOwnBrowser) return ask(reasonOf("site-own-browser", site.name));
  if (settings.web && mode === "act") return allow(reasonOf("web-approved"));
  return ask(site ? reasonOf("site-asks", site.name) : reasonOf("web-asks"));
}

/** Reasons for which a command asks that names a secret. */
export const NAMES_SECRET: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  ...(["secret-file", "ignored-file", "ignored-name"] as const),
  ...(["pattern-secret", "configured-secret", "history-secret"] as const),
]);

/**
 * Reasons for which a command asks although the sandbox would make it harmless: it names a secret, which the sandbox hides, or what
 * it means is not certain, so that neither the user nor Undo could tell what it did.
 */
const ASKS_IN_SANDBOX: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  ...NAMES_SECRET,
  ...([
    "hidden-character",
    "unusual-white-space",
    "unparsed",
    "unexpected-sign",
    "ambiguous",
    "unclosed",
  ] as const),
  ...(["empty", "too-long", "unknown-shell", "coded-characters", "history-expansion"] as const),
]);

/**
 * Reasons for which a command asks that only reads, although the sandbox hides from it what they are about: secrets among files that
 * it does not name, what a file name may do that is read as an option, and what a script of sed or jq may do.
 */
export const HIDDEN_IN_SANDBOX: ReadonlySet<ReasonCode> = new Set([
  ...(["reads-folder", "pattern-several-files", "pattern-option"] as const),
  ...(["script-writes-or-runs", "filter-reads-more"] as const),
]);

/** Nothing reads what runs, and no sandbox surrounds it. */
function runsInEditor(settings: ApprovalSettings): PolicyDecision {
  return settings.commandAll ? allow(reasonOf("all-commands-approved")) : ask(reasonOf("runs-in-editor"));
}

function runs(
  command: DecisionInput["command"],
  settings: ApprovalSettings,
  sandbox: DecisionInput["sandbox"],
): PolicyDecision {
  if (!command) return ask(reasonOf("not-judged"));
  const { verdict, reason, isListed = false, wanted, approved } = command;
  const withNetwork = sandbox?.isThere ? { sandbox: WITH_NETWORK } : undefined;
  if (approved === "outside") return allow(reasonOf("command-approved"));
  if (approved === "network" && withNetwork)
    return { ...allow(reasonOf("command-approved")), ...withNetwork };
  const runsOutside = isListed || settings.commandAll;
  const hasSandbox = settings.commandSafe && sandbox?.isThere === true;
  if (hasSandbox && !runsOutside && !wanted && (verdict === "allow" || !ASKS_IN_SANDBOX.has(reason.code)))
    return within("work", command);
  if (wanted === "outside" && !runsOutside) return ask(reasonOf("outside-sandbox"));
  if (wanted === "network" && !runsOutside) return { ...ask(reasonOf("needs-network")), ...withNetwork };
  // Where there is a sandbox, what the model says of a command does not decide: only the user's list lets it out.
  const isMarked = command.requiresApproval && !(hasSandbox && isListed);
  if (isMarked && !settings.ignoreRequiresApproval) return ask(reasonOf("requires-approval"));
  if (settings.commandAll) return allow(reasonOf("all-commands-approved"));
  return isListed ? allow(reason) : runsUnlisted(command, settings, sandbox);
}

/** A command that is not on the user's list, and for which no sandbox counts in which everything may run. */
function runsUnlisted(
  command: NonNullable<DecisionInput["command"]>,
  settings: ApprovalSettings,
  sandbox: DecisionInput["sandbox"],
): PolicyDecision {
  const { verdict, reason, onlyReads = false } = command;
  if (sandbox?.isRequired && settings.commandSafe) return ask(reasonOf("sandbox-required"));
  if (settings.commandSafe && verdict === "allow") return allow(reason);
  const readsUnasked = settings.commandRead && settings.read && onlyReads;
  if (readsUnasked && sandbox?.isThere) return within("read", command);
  if (verdict !== "allow") return ask(reason);
  return ask(reasonOf(readsUnasked ? "reads-without-sandbox" : "commands-ask"));
}

/** All that is different is the network. */
const WITH_NETWORK: SandboxPlace = { profile: "work", network: true };

function within(
  profile: SandboxPlace["profile"],
  { verdict, reason }: NonNullable<DecisionInput["command"]>,
): PolicyDecision {
  return { ...allow(verdict === "allow" ? reason : reasonOf("in-sandbox")), sandbox: { profile } };
}

function serverTool(server: ServerToolFacts | undefined, settings: ApprovalSettings): PolicyDecision {
  if (!server) return ask(reasonOf("not-judged"));
  if (server.changed) return ask(reasonOf("mcp-tool-changed"));
  if (server.always) return allow(reasonOf("mcp-tool-approved"));
  if (server.isOfExtension) return ask(reasonOf("extension-asks"));
  if (!settings.mcp) return ask(reasonOf("mcp-asks"));
  return server.destructive ? ask(reasonOf("mcp-destructive")) : allow(reasonOf("mcp-approved"));
}
