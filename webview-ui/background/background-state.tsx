/**
 * The part of a command's row that shows, after the command moved to the background, how long it has been running and how it
 * ended.
 */
import type { BackgroundCommand } from "../../src/shared/view/background-command.ts";
import { exitText } from "../../src/shared/words/outcome-words.ts";
import { usePanel } from "../panel.ts";
import CommandInput from "../rows/calls/command-input.tsx";
import { useNow } from "../status-parts.tsx";
import { duration } from "../text/numbers.ts";
import { Button } from "../toolkit/button.tsx";

/** If `command` is undefined, the command ended with an earlier window. */
export default function BackgroundState({
  command,
  output,
}: {
  command: BackgroundCommand | undefined;
  output: string;
}) {
  const { t, actions } = usePanel();
  if (!command) return <p className="detail">{t("It ran in the background until the window closed.")}</p>;
  const { id, startedAt, ended } = command;
  if (!ended) {
    return (
      <>
        <div className="checkpoint" data-testid="background-state">
          <span>
            {t("Running in the background (terminal {0})", id)} · <Elapsed since={startedAt} />
          </span>
        </div>
        <CommandInput
          callId={command.callId}
          output={output}
          waits={command.waits ?? false}
          hidden={command.hidden ?? false}
        >
          <Button
            testId="stop-background"
            label={t("Stop {0}", command.command)}
            onPress={() => actions.run("chat/end-background", { id })}
          >
            {t("Stop")}
          </Button>
        </CommandInput>
      </>
    );
  }
  const { exitCode, durationMs, stoppedByUser } = ended;
  return (
    <p className="detail" data-testid="background-state">
      {t("Ended in the background")} · {exitText(t, { exitCode, stoppedByUser })} · {duration(t, durationMs)}
    </p>
  );
}

function Elapsed({ since }: { since: string }) {
  const { t } = usePanel();
  return <>{duration(t, Math.max(0, useNow() - Date.parse(since)))}</>;
}
