/** The findings of a check of a model, in words. */
import type { CheckReport, Finding, ModelVerdict, ProbeId } from "../models/check.ts";
import { errorDetail, errorText } from "./error-words.ts";
import type { Translate } from "./task-words.ts";

export function probeTitle(t: Translate, probe: ProbeId): string {
  switch (probe) {
    case "list":
      return t("Model list");
    case "answer":
      return t("Answer");
    case "first-token":
      return t("First token");
    case "speed":
      return t("Speed");
    case "streaming":
      return t("Streaming");
    case "stream-usage":
      return t("Token count of streamed answers");
    case "whole-usage":
      return t("Token count of whole answers");
    case "usage-count":
      return t("Correctness of the token count");
    case "finish":
      return t("End of answers");
    case "stop":
      return t("Stop sequences");
    case "output-limit":
      return t("Output limit");
    case "system":
      return t("Instructions");
    case "history":
      return t("Earlier messages");
    case "unicode":
      return t("Characters of all scripts");
    case "call":
      return t("Native tool calls");
    case "call-ids":
      return t("Ids of tool calls");
    case "call-json":
      return t("Arguments of tool calls");
    case "call-schema":
      return t("Schema of tools");
    case "call-parallel":
      return t("Parallel tool calls");
    case "call-result":
      return t("Results of tools");
    case "xml":
      return t("Tool calls in XML");
    case "images":
      return t("Images");
    case "json-schema":
      return t("Output by a schema");
    case "cache":
      return t("Prompt cache");
    case "window":
      return t("Context window");
  }
}

export function findingText(t: Translate, { code, values, error, probe }: Finding): string {
  const [first = 0, second = 0] = values;
  const count = (value: number) => value.toLocaleString("en-US");
  switch (code) {
    case "works":
      return t("works");
    case "took":
      return t("after {0} s", (first / 1_000).toFixed(1));
    case "slow":
      return t(
        "only after {0} s. Increase nekode.provider.firstTokenTimeout if requests fail.",
        Math.round(first / 1_000),
      );
    case "per-second":
      return t("about {0} tokens a second", count(first));
    case "unlisted":
      return t("does not contain the model, which answers nevertheless");
    case "no-list":
      return t("the endpoint has none");
    case "empty":
      return t("empty");
    case "refused":
      return error ? refusedText(t, error) : t("refused");
    case "wrong-answer":
      return t(
        "something other than what was requested. The model or its template on the server may be wrong.",
      );
    case "not-streamed":
      return t("the answer arrives all at once, when it is complete");
    case "buffered":
      return t("the answer is held back until it is complete. A proxy may cause this.");
    case "no-usage":
      return t("not reported; Nekode estimates it");
    case "miscounted":
      return t("{0} tokens for a request of about {1}", count(first), count(second));
    case "no-finish":
      return t("not marked");
    case "ignored":
      return ignoredText(t, probe);
    case "no-calls":
      return t("the model calls no tool");
    case "no-ids":
      return t("missing or repeated");
    case "bad-json":
      return t("not valid JSON");
    case "bad-schema":
      return t("arguments do not fit the schema");
    case "one-call":
      return t("one call at a time");
    case "not-seen":
      return t("accepted, but the model does not see them");
    case "garbled":
      return t("changed on the way");
    case "window-holds":
      return t("{0} tokens fit", count(first));
    case "window-smaller":
      return t(
        "about {0} tokens, not {1}. Nekode uses the smaller size from now on.",
        count(first),
        count(second),
      );
    case "window-cut":
      return t(
        "about {0} tokens, not {1}: the endpoint silently drops the beginning of longer requests. Nekode uses the smaller size from now on.",
        count(first),
        count(second),
      );
    case "not-measured":
      return t("not measured");
    case "no-cache":
      return t("no effect was noticed");
    case "not-tried":
      return t("not tried");
  }
}

function refusedText(t: Translate, error: NonNullable<Finding["error"]>): string {
  const { text } = errorText(t, error);
  const detail = errorDetail(error);
  return detail === "" ? text : `${text} (${detail})`;
}

function ignoredText(t: Translate, probe: ProbeId): string {
  switch (probe) {
    case "system":
      return t("ignored. The model's template on the server may not have a system role.");
    case "history":
      return t("ignored: the model sees the last message alone. Its template on the server may be wrong.");
    case "call-result":
      return t("ignored: the model does not use what a tool returned");
    default:
      return t("ignored");
  }
}

export function checkVerdictText(t: Translate, verdict: ModelVerdict): string {
  switch (verdict) {
    case "good":
      return t("Nekode works well with this model.");
    case "limited":
      return t("Nekode works with this model, with limits.");
    case "unusable":
      return t("Nekode cannot work with this model as it is.");
  }
}

/** What follows from the findings for Nekode's requests, one sentence each. */
export function consequences(
  t: Translate,
  { findings, verdict }: Pick<CheckReport, "findings" | "verdict">,
): string[] {
  if (verdict === "unusable") return [];
  const is = (probe: ProbeId, ...states: Finding["state"][]) =>
    findings.some((finding) => finding.probe === probe && states.includes(finding.state));
  const noNative = is("call", "fault", "absent") || is("call-json", "fault") || is("call-result", "fault");
  return [
    ...(noNative && is("xml", "good") ? [t("Tools are called in XML.")] : []),
    ...(is("images", "absent") ? [t("Images are not sent.")] : []),
    ...(is("stream-usage", "absent") ? [t("Tokens are estimated.")] : []),
  ];
}
