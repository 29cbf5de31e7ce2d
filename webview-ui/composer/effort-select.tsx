/** How long a reasoning model thinks. */

import type { Effort } from "../../src/shared/models/model-protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { useModel, usePanel, usePanelState } from "../panel.ts";
import { Dropdown } from "../toolkit/dropdown.tsx";

const EFFORTS: readonly Effort[] = ["default", "none", "low", "medium", "high"];

/** The effort, shown next to the model unless the model is known not to reason. */
export function ModelEffort() {
  const name = useModel();
  const isSet = usePanelState(({ setup }) => (setup?.effort ?? "default") !== "default");
  const isIdle = usePanelState(({ setup }) => setup?.unreasoning?.includes(name) ?? false);
  return name === "" || (isIdle && !isSet) ? null : <EffortSelect />;
}

export function EffortSelect() {
  const { t, actions } = usePanel();
  const effort = usePanelState((state) => state.setup?.effort ?? "default");
  return (
    <Dropdown<Effort>
      quiet={true}
      testId="effort"
      name={t("Reasoning effort")}
      title={t("Reasoning effort")}
      value={effort}
      options={EFFORTS.map((each) => ({ value: each, text: effortText(t, each) }))}
      change={(next) => actions.run("models/effort", { effort: next })}
    />
  );
}

function effortText(t: Translate, effort: Effort): string {
  switch (effort) {
    case "default":
      return t("Effort: default");
    case "none":
      return t("Effort: none");
    case "low":
      return t("Effort: low");
    case "medium":
      return t("Effort: medium");
    case "high":
      return t("Effort: high");
  }
}
