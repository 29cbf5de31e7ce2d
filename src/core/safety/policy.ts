/** Whether an invocation runs, asks or is refused: what the person set, against what the judges found. */

/** Access classes of tools. */
export type Access = "read" | "edit" | "command" | "web" | "mcp" | "talk";

/** `nekode.approval.*`. */
export interface ApprovalSettings {
  read: boolean;
  readOutside: boolean;
  edit: boolean;
  editOutside: boolean;
  /** Commands that the judge allows. */
  commandSafe: boolean;
  /** All commands but denied ones. */
  commandAll: boolean;
  /** Commands that the model marks as requiring approval run as if it had not. */
  ignoreRequiresApproval: boolean;
  web: boolean;
  mcp: boolean;
  /** Requests of a task after which everything asks; 0 for no cap. */
  maxRequests: number;
  /** US dollars of a task after which everything asks; 0 for no cap. */
  maxCost: number;
}

export interface DecisionInput {
  access: Access;
  mode: "plan" | "act";
  settings: ApprovalSettings;
  /** Every path that the invocation touches, judged. */
  paths?: readonly JudgedPath[];
  /** The judged command of access "command"; without it a command asks. */
  command?: { verdict: "allow" | "ask" | "deny"; reason: string; requiresApproval?: boolean };
  /** What the task has used so far. */
  used?: { requests: number; cost: number };
}

/** What the policy needs of a path verdict (judge-path.ts). */
export interface JudgedPath {
  verdict: "allow" | "ask" | "deny";
  reason: string;
  inside: boolean;
  guard?: string;
}

export interface Decision {
  decision: "allow" | "ask" | "deny";
  /** For the person and, where denied, for the model; without a final full stop. */
  reason: string;
}

const ask = (reason: string): Decision => ({ decision: "ask", reason });
const deny = (reason: string): Decision => ({ decision: "deny", reason });
const allow = (reason: string): Decision => ({ decision: "allow", reason });

/** Pure: the same input always gives the same decision. Whatever nothing allows asks. */
export function decide(input: DecisionInput): Decision {
  const { access, mode, settings, paths = [], command } = input;
  if (access === "talk") return allow("it only talks");
  if (mode === "plan" && (access === "edit" || access === "command" || access === "mcp")) {
    return deny("plan mode changes nothing: switch to act mode first");
  }
  const refused = paths.find((path) => path.verdict === "deny");
  if (refused) return deny(refused.reason);
  if (access === "command" && command?.verdict === "deny") return deny(command.reason);
  const guarded = paths.find((path) => path.guard !== undefined);
  if (guarded) return ask(guarded.reason);
  const cap = capReached(settings, input.used);
  if (cap) return ask(cap);
  switch (access) {
    case "read":
      return files(paths, settings.read, settings.readOutside, "reading");
    case "edit":
      return files(paths, settings.edit, settings.editOutside, "editing");
    case "command":
      return runs(command, settings);
    case "web":
      return settings.web && mode === "act" ? allow("web access is approved") : ask("web access asks");
    case "mcp":
      return settings.mcp ? allow("MCP tools are approved") : ask("MCP tools ask");
    default:
      return ask("an access class that is not known");
  }
}

function files(paths: readonly JudgedPath[], inside: boolean, outside: boolean, verb: string): Decision {
  if (!inside) return ask(`${verb} files asks`);
  const stopped = paths.find((path) => path.verdict !== "allow" && !(outside && !path.inside));
  return stopped ? ask(stopped.reason) : allow(`${verb} files is approved`);
}

function runs(command: DecisionInput["command"], settings: ApprovalSettings): Decision {
  if (!command) return ask("the command was not judged");
  if (command.requiresApproval && !settings.ignoreRequiresApproval)
    return ask("the model marks it as requiring approval");
  if (settings.commandAll) return allow("all commands are approved");
  if (settings.commandSafe && command.verdict === "allow") return allow(command.reason);
  return ask(command.verdict === "allow" ? "commands ask" : command.reason);
}

function capReached(settings: ApprovalSettings, used: DecisionInput["used"]): string | undefined {
  if (!used) return undefined;
  if (settings.maxRequests > 0 && used.requests >= settings.maxRequests)
    return `${settings.maxRequests} requests without asking are used up`;
  if (settings.maxCost > 0 && used.cost >= settings.maxCost)
    return `$${settings.maxCost} without asking are used up`;
  return undefined;
}
