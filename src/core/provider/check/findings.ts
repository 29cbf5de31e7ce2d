/** Makes the findings of a check, and the verdict from them. */
import type { Finding, FindingCode, ModelVerdict, ProbeId } from "../../../shared/models/check.ts";
import type { ProviderError } from "../../errors.ts";

export function good(probe: ProbeId, code: FindingCode = "works", ...values: number[]): Finding {
  return { probe, state: "good", code, values };
}

export function fault(probe: ProbeId, code: FindingCode, ...values: number[]): Finding {
  return { probe, state: "fault", code, values };
}

/** A feature that Nekode does without. */
export function absent(probe: ProbeId, code: FindingCode, ...values: number[]): Finding {
  return { probe, state: "absent", code, values };
}

export function skipped(probe: ProbeId, code: FindingCode = "not-tried"): Finding {
  return { probe, state: "skipped", code, values: [] };
}

export function refused(probe: ProbeId, error: ProviderError, state: "fault" | "absent" = "fault"): Finding {
  return { probe, state, code: "refused", values: [], error: error.view };
}

/** `findings`: of all probes. */
export function verdictOf(findings: readonly Finding[]): ModelVerdict {
  const isFault = (probe: ProbeId) =>
    findings.some((finding) => finding.probe === probe && finding.state === "fault");
  const callsNothing =
    findings.some(({ probe, state }) => probe === "call" && state !== "good") && isFault("xml");
  if (isFault("answer") || isFault("history") || callsNothing) return "unusable";
  return findings.some(({ state }) => state === "fault") ? "limited" : "good";
}
