/**
 * What the administrator of this computer lets Nekode do. The host reads it (`src/node/policy`), and each matter is enforced in one place:
 * endpoints and models where a request is sent, permissions where a call is judged, servers, plugins, hooks and exports where they begin.
 * Nothing that a user, a project or a command line says can allow more.
 */
import { accessAtMost } from "../../shared/permission/access-limit.ts";
import type { AccessSettings } from "../../shared/permission/levels.ts";
import { ACCESS_CLASSES } from "../../shared/permission/levels.ts";
import type { Settings } from "../../shared/settings.ts";
import type { PolicyFile } from "./policy-schema.ts";

export interface AdminPolicy extends Omit<PolicyFile, "version"> {
  /** Absolute path of the file that it was read from. */
  file: string;
}

/** Why a policy stops Nekode or something that the user asked for. The hosts have the words; see `managed-words.ts`. */
export type PolicyFault =
  /** `detail`: the message of the system. */
  | { code: "unreadable"; file: string; detail: string }
  /** Someone other than the administrator can write this file or folder. */
  | { code: "writable"; file: string; path: string }
  /** `detail`: what is wrong in the file. */
  | { code: "invalid"; file: string; detail: string }
  /** Sessions cannot be exported. */
  | { code: "export-off"; managedBy: string };

export class PolicyError extends Error {
  override name = "PolicyError";

  constructor(readonly fault: PolicyFault) {
    super(policyFaultInEnglish(fault));
  }
}

/** For logs and hosts without a translation. */
function policyFaultInEnglish(fault: PolicyFault): string {
  if (fault.code === "export-off") return `${fault.managedBy} does not allow sessions to be exported.`;
  const why =
    fault.code === "writable"
      ? `${fault.path} can be changed by others than the administrator`
      : fault.detail;
  return `Nekode is managed on this computer and does not start, because the policy ${fault.file} cannot be used: ${why}. Ask your administrator.`;
}

/** What may run without asking at most. */
export interface Ceiling {
  access: AccessSettings;
  /** Commands that nobody was asked about run in the sandbox only. */
  needsSandbox: boolean;
  managedBy: string;
}

/** undefined: the policy limits nothing of this. */
export function ceilingOf(policy: AdminPolicy | undefined): Ceiling | undefined {
  if (!policy?.permissions && !policy?.sandbox) return undefined;
  const { permissions, sandbox, managedBy } = policy;
  const { highest = "all", ask = [] } = permissions ?? {};
  return { access: accessAtMost(highest, ask), needsSandbox: sandbox === "required", managedBy };
}

/** The classes that run without asking, as far as the ceiling allows them. */
export function accessUnder<Access extends Partial<AccessSettings>>(
  access: Access,
  ceiling: Pick<Ceiling, "access"> | undefined,
): Access {
  if (!ceiling) return access;
  const under = { ...access };
  for (const name of ACCESS_CLASSES) if (under[name] && !ceiling.access[name]) under[name] = false;
  return under;
}

/** The settings as far as the policy allows them, so that what users see is what applies. */
export function settingsUnder<Given extends Settings>(
  settings: Given,
  policy: AdminPolicy | undefined,
): Given {
  if (!policy) return settings;
  const { sandbox, limits: { costPerTask = 0, costPerDay = 0 } = {} } = policy;
  const { approval } = settings;
  return {
    ...settings,
    ...(sandbox ? { sandbox } : {}),
    approval: {
      ...accessUnder(approval, ceilingOf(policy)),
      maxCost: lower(approval.maxCost, costPerTask),
      maxCostPerDay: lower(approval.maxCostPerDay, costPerDay),
    },
  };
}

/** 0: no limit. */
function lower(own: number, managed: number): number {
  if (own === 0 || managed === 0) return Math.max(own, managed);
  return Math.min(own, managed);
}

/** Whether what has this hash may be used. `list`: undefined: the policy does not say. */
export function allowsHash(list: PolicyFile["servers"], hash: string): boolean {
  if (list === undefined) return true;
  return list !== "off" && list.allowed.includes(hash);
}
