/** Rules files as lists show them. */
import type { RuleFile } from "../../shared/rule-file.ts";
import type { SurveyedRule } from "../instructions/rule-survey.ts";
import { estimateTokens } from "./tokens.ts";

export type ListedRule = Omit<SurveyedRule, "path"> & Pick<RuleFile, "workedOn">;

export function ruleItem({
  source,
  name,
  paths,
  state,
  text,
  why,
  by,
  match,
  workedOn,
}: ListedRule): RuleFile {
  return {
    source,
    name,
    paths,
    state,
    ...(text === "" ? {} : { tokens: estimateTokens(text) }),
    ...(why === undefined ? {} : { why: [why.code, ...why.values.slice(0, 1)] }),
    ...(by === undefined ? {} : { by }),
    ...(match === undefined ? {} : { match }),
    ...(workedOn === undefined ? {} : { workedOn }),
  };
}
