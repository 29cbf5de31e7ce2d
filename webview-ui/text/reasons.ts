/**
 * Why a call asks, in the person's language. The host gives a short English phrase; those worth reading have a
 * translation here, those that only say "this kind of call asks" are left out, and any other is shown as it came.
 */
import type { Translate } from "../../src/shared/texts.ts";

const ordinary: readonly RegExp[] = [
  /^(?:reading|editing) files asks$/,
  /^(?:commands|MCP tools|web access) asks?$/,
  /^$/,
];

export function reasonText(t: Translate, reason: string): string {
  if (ordinary.some((pattern) => pattern.test(reason))) return "";
  const outside = /^(.+) is outside the project$/s.exec(reason);
  if (outside) return t("{0} is outside the project", outside[1] ?? "");
  const requests = /^(\d+) requests without asking are used up$/.exec(reason);
  if (requests) return t("{0} requests without asking are used up", requests[1] ?? "");
  const cost = /^\$(.+) without asking are used up$/.exec(reason);
  if (cost) return t("{0} USD without asking are used up", cost[1] ?? "");
  const unseen = /^an invisible or control character \((.+)\)$/.exec(reason);
  if (unseen) return t("it holds an invisible character ({0})", unseen[1] ?? "");
  switch (reason) {
    case "it does not parse":
      return t("the command cannot be read for certain");
    case "it can be read in two ways":
      return t("the command can be read in two ways");
    case "it is the project's folder itself":
      return t("it is the project's folder itself");
    default:
      return reason;
  }
}
