/** Reasons of the policy. */
import type { OrdinaryReasons, PolicyReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const ordinaryWords: WordsOf<OrdinaryReasons> = {
  "reading-asks": (t) => t("reading files asks"),
  "editing-asks": (t) => t("editing files asks"),
  "commands-ask": (t) => t("commands ask"),
  "web-asks": (t) => t("web access asks"),
  "mcp-asks": (t) => t("MCP tools ask"),
  none: () => "",
};

export const policyWords: WordsOf<PolicyReasons> = {
  "allow-listed": (t, entry) => t("{0} is on the allow list", entry),
  "all-commands-approved": (t) => t("all commands are approved"),
  "reading-approved": (t) => t("reading files is approved"),
  "editing-approved": (t) => t("editing files is approved"),
  "web-approved": (t) => t("web access is approved"),
  "mcp-approved": (t) => t("MCP tools are approved"),
  talk: (t) => t("it changes nothing"),
  "inside-project": (t) => t("it is inside the project"),
  "not-judged": (t) => t("it was not judged"),
  "unknown-access": (t) => t("it was not judged"),
  "requests-used-up": (t, count) => t("{0} requests without asking are used up", count),
  "cost-used-up": (t, usd) => t("{0} USD without asking are used up", usd),
  "requires-approval": (t) => t("the model marks it as requiring approval"),
  "always-asks": (t) => t("such calls always ask"),
  "waited-before": (t) => t("it waited for an answer when the session was closed"),
  "cannot-be-kept": (t) => t("not everything that it destroys can be kept"),
  "plan-mode-only": (t) => t("it can only be used in plan mode"),
  "plan-mode": (t) => t("plan mode changes nothing"),
  "deny-listed": (t, entry) => t("{0} is on the deny list", entry),
};
