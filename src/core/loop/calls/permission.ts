/** Decides whether an invocation may run without asking. It is judged when it is prepared; anything not allowed needs approval. */

import { basename, resolve } from "node:path";
import type { Mode } from "../../../shared/message.ts";
import {
  approvalWith,
  exceptionFor,
  type SessionSettings,
} from "../../../shared/permission/session-permission.ts";
import { type Reason, type ReasonCode, reasonOf, type Verdict } from "../../../shared/reason.ts";
import { addedCommands, allowedCommands, remainingCommands } from "../../../shared/safe-commands.ts";
import { reasonInEnglish } from "../../../shared/words/reasons/reasons.ts";
import { IgnoredFiles } from "../../instructions/ignored-files.ts";
import { type Ceiling, ceilingOf } from "../../policy/admin-policy.ts";
import type { SandboxUse } from "../../ports/sandbox.ts";
import type { JudgedCommand } from "../../safety/commands/judge-command.ts";
import { entryWords } from "../../safety/commands/prefixes.ts";
import type { PathVerdict } from "../../safety/paths/judge-path.ts";
import { manifestReason, manifestSteers } from "../../safety/paths/manifests.ts";
import { type DecisionInput, decide, HIDDEN_IN_SANDBOX } from "../../safety/policy.ts";
import { runByName } from "../../tools/scripts/run-by-name.ts";
import type { Invocation, PathUse, Tool } from "../../tools/tool.ts";
import { DiskJudge, type JudgeHost } from "./disk-judge.ts";

export interface Permission {
  verdict: Verdict;
  reason: Reason;
  /** The path that decides, as the call names it. */
  path?: string;
  /** The real path, if links make it differ. */
  realPath?: string;
  /**
   * Runs there without asking, and nowhere else; with network, also if the user is asked and approves. Absent: where the user's own
   * commands run.
   */
  sandbox?: SandboxUse;
  /** For a command: there is a sandbox, and if the user is asked and approves, the command runs outside it. */
  outsideSandbox?: true;
  /** The entry that the approval offers: with it in the allow list, this command would not ask. */
  always?: string;
}

/** The user wants to be asked about this server in this session, whatever they allowed before. */
const NEVER = { always: false };

/** Reasons for which a part of a command asks that an entry covers. */
const ASKS_IF_LISTED: ReadonlySet<ReasonCode> = new Set([
  ...HIDDEN_IN_SANDBOX,
  "repository-unclear",
  "repository-runs-program",
  "history-secret",
  "configured-secret",
  "git-steered",
  "git-elsewhere",
  "git-outside",
]);

/** What is judged: a call of a tool. */
export interface JudgedCall {
  tool: Pick<Tool, "access"> & { name?: string | undefined };
  invocation: Pick<
    Invocation,
    | "paths"
    | "command"
    | "runsInEditor"
    | "requiresApproval"
    | "wantedPlace"
    | "approvedPlace"
    | "received"
    | "site"
    | "server"
    | "allowAlways"
  > & {
    view?: Pick<Invocation["view"], "always" | "server">;
  };
  mode: Mode;
  /** As in `CallRuling`. What the user chose for the session counts in spite of it. */
  isAllowed?: boolean;
}

export class Judge {
  readonly #host: JudgeHost;
  readonly #settings: () => SessionSettings;
  readonly #ignored: Pick<IgnoredFiles, "rules">;

  constructor(
    host: JudgeHost,
    settings: () => SessionSettings,
    ignored: Pick<IgnoredFiles, "rules"> = new IgnoredFiles(host),
  ) {
    this.#host = host;
    this.#ignored = ignored;
    this.#settings = settings;
  }

  async permission(
    tool: JudgedCall["tool"],
    invocation: JudgedCall["invocation"],
    mode: Mode,
    isAllowed = false,
  ): Promise<Permission> {
    const settings = this.#settings();
    return permissionFor({ tool, invocation, mode, isAllowed }, settings, this.#host, await this.#disk());
  }

  /** For the model: why reading the file at this path needs approval or is denied; undefined: it may be read. */
  async unreadable(path: string): Promise<string | undefined> {
    const refused = await this.refusal(path);
    return refused && reasonInEnglish(refused.reason);
  }

  /**
   * Whether entries as on the user's allow list cover each part of the command, whatever the settings say. A part that they cover may
   * still ask, for example because of what git is configured to run.
   */
  async covers(command: string, entries: readonly string[]): Promise<boolean> {
    const judged = await (await this.#disk()).command(command);
    const { verdict, parts = [] } = await judged.under({ allow: entries, deny: [] });
    if (verdict === "allow") return true;
    return (
      parts.length > 0 &&
      parts.every((part) => part.verdict === "allow" || ASKS_IF_LISTED.has(part.reason.code))
    );
  }

  /** The real path of what a write to this absolute path changes; undefined: that is not clear. */
  async resolved(path: string): Promise<string | undefined> {
    const judged = await (await this.#disk()).path(path, "write");
    return judged.guard === "unclear" ? undefined : judged.resolved;
  }

  /** Like `unreadable`, as a verdict with its guard. */
  async refusal(path: string): Promise<PathVerdict | undefined> {
    const judged = await (await this.#disk()).path(path, "read");
    return judged.verdict === "allow" ? undefined : judged;
  }

  #disk(): Promise<DiskJudge> {
    return DiskJudge.of(this.#host, this.#ignored);
  }
}

/** The permission of a call under these settings. `disk` judges what it touches, for any number of settings. */
export async function permissionFor(
  { tool, invocation, mode, isAllowed }: JudgedCall,
  settings: SessionSettings,
  { workspace, shell, policy }: Pick<JudgeHost, "workspace" | "shell" | "policy">,
  disk: DiskJudge,
): Promise<Permission> {
  const { commands } = settings;
  const ceiling = ceilingOf(policy);
  const exception = exceptionFor(settings, tool.name, invocation.view?.server?.name);
  const approval = approvalWith(settings.approval, tool.access, exception ?? (isAllowed || undefined));
  const paths = await Promise.all(
    invocation.paths.map(async ({ path, access, change }) => ({
      path,
      ...withScripts(
        withContent(await withSkills(await disk.path(path, access), access, disk), change),
        access,
        workspace,
        settings,
      ),
    })),
  );
  const judged = invocation.command === undefined ? undefined : await disk.command(invocation.command);
  const under = (allow: readonly string[]) => judged?.under({ allow, deny: commands.deny });
  const command = await under(allowedCommands(commands.allow, shell.kind));
  const { wantedPlace: wanted, approvedPlace: approved, requiresApproval = false } = invocation;
  // The user's entries apply even if built-in safe commands ask.
  const own = addedCommands(commands.allow);
  const listed = command?.verdict === "allow" && own.length > 0 && (await under(own))?.verdict === "allow";
  const read = await under(remainingCommands(commands.allow, shell.kind));
  const facts = {
    ...{ onlyReads: command?.verdict !== "deny" && onlyReads(read), requiresApproval },
    ...(wanted ? { wanted } : {}),
    ...(approved ? { approved } : {}),
  };
  const input: DecisionInput = {
    access: tool.access,
    mode,
    paths,
    ...(command ? { command: { ...command, ...facts, isListed: listed } } : {}),
    ...(command ? { sandbox: await sandboxOf({ ...settings, ...policy }, disk) } : {}),
    ...(ceiling ? { ceiling } : {}),
    received: invocation.received ?? false,
    runsInEditor: invocation.runsInEditor,
    ...(invocation.site ? { site: invocation.site } : {}),
    ...(invocation.server ? { server: { ...invocation.server, ...(exception === false && NEVER) } } : {}),
    settings: approval,
  };
  const { decision, reason, sandbox } = decide(input);
  const moved = paths.find(({ path, resolved }) => resolved !== path);
  const deciding = paths.find((path) => path.reason === reason) ?? paths[0];
  // Where it would ask although it were listed, nothing is offered.
  const isStorable = async (entry: string) => {
    if (!command || commands.allow.includes(entry)) return false;
    const listing = await under([...own, entry]);
    if (listing?.verdict !== "allow") return false;
    return decide({ ...input, command: { ...listing, ...facts, isListed: true } }).decision === "allow";
  };
  // Commands on the list run outside the sandbox, which is more than the user is asked for here.
  const isListable = decision === "ask" && !listed && !sandbox?.network;
  const entry = isListable ? invocation.view?.always : undefined;
  const isOffered = entry !== undefined && (mayAllowTool(invocation, ceiling) || (await isStorable(entry)));
  return {
    verdict: decision,
    reason,
    ...(sandbox === undefined ? {} : { sandbox: disk.sandboxUse(sandbox) }),
    ...(input.sandbox?.isThere && !sandbox?.network ? { outsideSandbox: true } : {}),
    ...(deciding ? { path: deciding.path } : {}),
    ...(moved ? { realPath: moved.resolved } : {}),
    ...(isOffered ? { always: entry } : {}),
  };
}

/** Whether allowing the tool of an MCP server for later would have an effect. */
function mayAllowTool({ allowAlways }: JudgedCall["invocation"], ceiling: Ceiling | undefined): boolean {
  return allowAlways !== undefined && ceiling?.access.mcp !== false;
}

/** `read`: the command, judged with the built-in entries alone. */
function onlyReads(read: Awaited<ReturnType<JudgedCommand["under"]>> | undefined): boolean {
  const isHarmless = ({ verdict, reason }: { verdict: Verdict; reason: Reason }) =>
    verdict === "allow" || HIDDEN_IN_SANDBOX.has(reason.code);
  return read?.parts?.every(isHarmless) ?? false;
}

/** Whether commands run in a sandbox here under these settings, which only those do that ask nobody. */
async function sandboxOf(
  { sandbox }: Pick<SessionSettings, "sandbox">,
  disk: DiskJudge,
): Promise<NonNullable<DecisionInput["sandbox"]>> {
  const isThere = sandbox !== "off" && (await disk.sandbox()).engine !== undefined;
  return { isThere, isRequired: sandbox === "required" };
}

/** The files of skills may be read wherever they are, except for secrets. */
async function withSkills(
  judged: PathVerdict,
  access: "read" | "write",
  disk: DiskJudge,
): Promise<PathVerdict> {
  const isOutside = judged.verdict === "ask" && !judged.inside && judged.guard === undefined;
  if (access === "write" || !isOutside || !(await disk.isOfSkill(judged.resolved))) return judged;
  return { ...judged, verdict: "allow", reason: reasonOf("reading-approved") };
}

/** Edits to scripts that the allow list runs need approval, because the edit would later run without asking. */
function withScripts(
  judged: PathVerdict,
  access: "read" | "write",
  { root = "" }: JudgeHost["workspace"],
  { commands }: SessionSettings,
): PathVerdict {
  if (access === "read" || judged.verdict !== "allow") return judged;
  const entries = addedCommands(commands.allow).map(entryWords);
  const words = entries.flat();
  // A plain word (`npm test`) is not a path.
  const paths = words.map((word) => word.replaceAll("\\", "/")).filter((word) => /[/.]/.test(word));
  const written = basename(judged.resolved);
  // `make` reads the Makefile of any folder it runs in. Changes to manifests are judged by their content.
  const byName = entries
    .flatMap(([program = ""]) => runByName(program))
    .find((name) => name.toLowerCase() === written.toLowerCase() && !manifestReason(name.toLowerCase()));
  const named = paths.find((path) => resolve(root, path) === judged.resolved) ?? byName;
  if (named === undefined) return judged;
  return { ...judged, verdict: "ask", guard: "protected", reason: reasonOf("steers-what-runs", named) };
}

/** A change to a manifest that does not change what it runs is treated like any other edit. */
function withContent(judged: PathVerdict, change: PathUse["change"]): PathVerdict {
  if (judged.guard !== "scripts" || !change || change.after === null) return judged;
  if (manifestSteers(judged.reason, change.before ?? undefined, change.after)) return judged;
  const { guard: _, ...rest } = judged;
  return rest.inside
    ? { ...rest, verdict: "allow", reason: reasonOf("inside-project") }
    : { ...rest, reason: reasonOf("outside-project", rest.resolved) };
}
