/**
 * The administrator's policy of this computer. Its path is fixed: neither the environment nor any setting moves it. If there is a file that
 * cannot be used, or that somebody else than the administrator can change, Nekode does not start.
 */
import { type AdminPolicy, PolicyError } from "../../core/policy/admin-policy.ts";
import { lstat } from "../files/direct-calls.ts";
import { codeOf } from "../files/fs-errors.ts";

/** `%ProgramData%` is a variable of the user, who could set it. */
const POLICY_FILES: Partial<Record<NodeJS.Platform, string>> = {
  win32: "C:\\ProgramData\\Nekode\\policy.json",
  darwin: "/Library/Application Support/Nekode/policy.json",
};

/** Where an administrator puts the policy. */
export const POLICY_FILE = POLICY_FILES[process.platform] ?? "/etc/nekode/policy.json";

/** undefined: nothing is managed. Rejects with PolicyError. */
export async function machinePolicy(): Promise<AdminPolicy | undefined> {
  // Only a missing file means that there is no policy; what else is wrong is found when it is read.
  if (await isMissingFile()) return undefined;
  const { readPolicy } = await import("./policy-parts.ts");
  const read = readPolicy(POLICY_FILE);
  if (read?.fault) throw new PolicyError(read.fault);
  return read?.policy;
}

function isMissingFile(): Promise<boolean> {
  return lstat(POLICY_FILE).then(
    () => false,
    (error: unknown) => codeOf(error) === "ENOENT",
  );
}
