/** Why the administrator's policy stops Nekode, or something that the user asked for. */
import { unreachable } from "../unreachable.ts";
import type { Translate } from "./task-words.ts";

/** See `PolicyFault` of core. */
interface PolicyFaultValues {
  code: "unreadable" | "writable" | "invalid" | "export-off";
  file?: string;
  path?: string;
  detail?: string;
  managedBy?: string;
}

export function policyFaultText(t: Translate, fault: PolicyFaultValues): string {
  const { code, file = "", path = "", detail = "", managedBy = "" } = fault;
  switch (code) {
    case "export-off":
      return t("{0} does not allow sessions to be exported.", managedBy);
    case "writable":
      return refused(t, file, t("{0} can be changed by others than the administrator", path));
    case "unreadable":
    case "invalid":
      return refused(t, file, detail);
    default:
      return unreachable(code);
  }
}

function refused(t: Translate, file: string, why: string): string {
  return t(
    "Nekode is managed on this computer and does not start, because the policy {0} cannot be used: {1}. Ask your administrator.",
    file,
    why,
  );
}
