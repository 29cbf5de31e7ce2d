/** Buttons after a turn of an agent: each chooses another agent, and writes the next message or sends it. Nothing happens by itself. */
import { useEffect, useState } from "react";
import { agentListSchema } from "../../src/shared/agent-list.ts";
import type { Handoff } from "../../src/shared/session-agent.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

/** `agent`: the name of the session's agent. */
export default function Handoffs({ agent }: { agent: string }) {
  const { t, actions, composer } = usePanel();
  const [shown, setShown] = useState<readonly Handoff[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another agent has other buttons
  useEffect(() => {
    let isGone = false;
    void actions.quietly("agents/list", {}).then((answer) => {
      if (answer !== undefined && !isGone) setShown(agentListSchema.parse(answer).handoffs);
    });
    return () => {
      isGone = true;
    };
  }, [actions, agent]);
  if (shown.length === 0) return null;
  const press = async ({ agent: name, prompt, send }: Handoff) => {
    if ((await actions.ask("agents/choose", { name })) === undefined) return;
    if (prompt === "") composer.focus();
    else if (!send) composer.insert(prompt);
    else
      await actions.send(prompt).catch(() => {
        // The failure is reported, and the message is not lost.
        composer.insert(prompt);
      });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields
    <div className="buttons handoffs" role="group" aria-label={t("Next steps")} data-testid="handoffs">
      {shown.map((handoff) => (
        <Button
          key={handoff.label}
          testId="handoff"
          hint={handoffTitle(t, handoff)}
          onPress={() => void press(handoff)}
        >
          {handoff.label}
        </Button>
      ))}
    </div>
  );
}

/** What pressing the button does. */
function handoffTitle(t: ReturnType<typeof usePanel>["t"], { agent, prompt, send }: Handoff): string {
  if (prompt === "") return t("Continue with the agent {0}", agent);
  return send
    ? t("Send to the agent {0}: {1}", agent, prompt)
    : t("Write to the agent {0}: {1}", agent, prompt);
}
