/** How long a reasoning model thinks. */

import type { Effort } from "../../src/shared/models/model-protocol.ts";
import { effortText } from "../composer/effort-text.ts";
import { useModel, usePanel, usePanelState } from "../panel.ts";
import { Dropdown } from "../toolkit/dropdown.tsx";

const EFFORTS: readonly Effort[] = ["default", "none", "low", "medium", "high"];

/** The effort, unless the model is known not to reason and none was chosen. */
export function ModelEffort() {
  const name = useModel();
  const isSet = usePanelState(({ setup }) => (setup?.effort ?? "default") !== "default");
  const isIdle = usePanelState(({ setup }) => setup?.unreasoning?.includes(name) ?? false);
  return name === "" || (isIdle && !isSet) ? null : <EffortSelect />;
}

function EffortSelect() {
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
