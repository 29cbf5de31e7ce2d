/** What runs without asking, as the command line and the configuration say. */
import type { UserConfig } from "../../node/config/user-config.ts";
import { accessSchema, LEVEL_ACCESS, LEVELS } from "../../shared/permission/levels.ts";
import type { Settings } from "../../shared/settings.ts";
import { oneOf } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

const APPROVALS = ["read", "edit", "command-read", "command-safe", "command", "web", "mcp"] as const;

export function permissionOptions(
  { approve, permission }: { approve?: string | undefined; permission?: string | undefined },
  { permission: configured = "ask" }: UserConfig,
): Partial<Settings["approval"]> {
  if (approve !== undefined && permission !== undefined)
    throw new UsageError("--approve and --permission cannot be used together");
  if (approve !== undefined) return approvalOf(approve);
  const level = oneOf("--permission", permission, LEVELS) ?? configured;
  return { ...LEVEL_ACCESS[level], ignoreRequiresApproval: LEVEL_ACCESS[level].commandAll };
}

/** Whether everything runs without asking: `--approve all` or the level `all`. */
export function approvesAll(approval: Partial<Settings["approval"]>): boolean {
  const access = accessSchema.safeParse(approval);
  return access.success && Object.values(access.data).every(Boolean);
}

function approvalOf(list: string): Partial<Settings["approval"]> {
  const names = list.split(",").map((name) => name.trim());
  if (list.trim() === "none") return { read: false, commandRead: false };
  const all = list.trim() === "all";
  const accepted: readonly string[] = APPROVALS;
  const unknown = all ? undefined : names.find((name) => !accepted.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--approve accepts ${APPROVALS.join(", ")}, all or none, not ${JSON.stringify(unknown)}`,
    );
  }
  const has = (name: (typeof APPROVALS)[number]) => all || names.includes(name);
  return {
    read: has("read"),
    readOutside: all,
    edit: has("edit"),
    editOutside: all,
    // A list with safe commands is that of a level.
    commandRead: has("command-read") || has("command-safe") || has("command"),
    commandSafe: has("command-safe") || has("command"),
    commandAll: has("command"),
    // No user can be asked during the run, so `command` approves all commands.
    ignoreRequiresApproval: has("command"),
    web: has("web"),
    mcp: has("mcp"),
  };
}
