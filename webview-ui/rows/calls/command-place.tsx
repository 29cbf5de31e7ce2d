/**
 * What the sandbox blocked, which the user can let through, and what a command made there that takes effect by itself; for a run of
 * tests, what it found.
 */
import { useRef } from "react";
import type { SandboxBlock } from "../../../src/shared/message.ts";
import type { CallRow } from "../../../src/shared/view/reducer.ts";
import { madeFilesTexts, runBlockedText, sandboxText } from "../../../src/shared/words/sandbox-words.ts";
import { usePanel, usePanelState, useView } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Button } from "../../toolkit/button.tsx";
import { TestResults } from "./test-results.tsx";

interface Props {
  row: CallRow;
  command: string;
}

export default function CommandPlace({ row, command }: Props) {
  const { t } = usePanel();
  const { block, made } = row.shown?.sandbox ?? {};
  return (
    <>
      {row.shown?.tests ? <TestResults row={row} command={command} /> : null}
      {block ? (
        <div className="checkpoint">
          <span data-testid="blocked">
            <Visible text={sandboxText(t, { block })} />
          </span>
          <RunBlocked callId={row.id} command={command} block={block} />
        </div>
      ) : null}
      {(made ? madeFilesTexts(t, made) : []).map((text) => (
        <div key={text} className="checkpoint" data-testid="made-files">
          <Visible text={text} />
        </div>
      ))}
    </>
  );
}

/** The press is the approval of exactly this command. The agent then runs it, now or after the running step. */
function RunBlocked({ callId, command, block }: { callId: string; command: string; block: SandboxBlock }) {
  const { t, actions, store } = usePanel();
  const trusted = usePanelState(({ setup }) => setup?.trusted ?? false);
  const mode = useView((view) => view.mode);
  const isSubtask = useView((view) => view.session?.isSubtask ?? false);
  /** A second press of a double-click must not send the command again. */
  const isSending = useRef(false);
  const name = runBlockedText(t, block);
  const press = async () => {
    if (isSending.current) return;
    isSending.current = true;
    const answer = await actions.ask("chat/run-blocked", { callId });
    isSending.current = false;
    if (answer && !answer.accepted) store.report(t("This command cannot run now."));
  };
  const hint = !trusted
    ? t("Commands do not run in a folder that is not trusted")
    : mode === "plan"
      ? t("Commands do not run in plan mode")
      : isSubtask
        ? t("A subtask receives no messages. Its agent can ask you for this command.")
        : block.kind === "network"
          ? t("Lets the agent run exactly this command once in the sandbox, with network")
          : t("Lets the agent run exactly this command once outside the sandbox");
  return (
    <Button
      testId="run-blocked"
      label={`${name}: ${command.trim().split("\n", 1)[0]}`}
      hint={hint}
      disabled={!trusted || mode === "plan" || isSubtask}
      onPress={() => void press()}
    >
      {name}
    </Button>
  );
}
