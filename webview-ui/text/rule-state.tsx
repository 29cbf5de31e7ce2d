/** Whether an instruction file applies, and why or why not. */
import type { RuleFile } from "../../src/shared/rule-file.ts";
import { isRuleFault, ruleStateText } from "../../src/shared/words/rule-words.ts";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { Visible } from "./visible.tsx";

export function RuleStateText({ rule }: { rule: RuleFile }) {
  const { t } = usePanel();
  return (
    <p className="rule-state">
      {isRuleFault(rule) ? <Icon name="warning" /> : null}
      <span>
        <Visible text={ruleStateText(t, rule)} />
      </span>
    </p>
  );
}
