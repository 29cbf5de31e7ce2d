/** The commands that run in the background, above the composer: one line that unfolds to the list of all of them. */
import { usePanel, useView } from "../panel.ts";
import { useFold } from "../rows/folds.ts";
import { useNow } from "../status-parts.tsx";
import { duration } from "../text/numbers.ts";
import { Visible } from "../text/visible.tsx";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

export default function BackgroundLine() {
  const { t, actions, store } = usePanel();
  const all = useView((view) => view.background);
  const session = useView((view) => view.session?.id);
  const [open, setOpen] = useFold("background", false);
  const now = useNow();
  const running = all.filter(({ ended }) => !ended);
  if (running.length === 0) return null;
  const title =
    running.length === 1 ? t("1 command in background") : t("{0} commands in background", running.length);
  return (
    <details
      className="background"
      data-testid="background-commands"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" />
        <span>{title}</span>
      </summary>
      <ul aria-label={title}>
        {running.map(({ id, callId, command, startedAt, session: of }) => (
          <li key={id} data-testid="background-command">
            <span className="background-id" title={t("Terminal {0}", id)}>
              {id}
            </span>
            <code title={command}>
              <Visible text={command.replace(/\s+/g, " ")} />
            </code>
            <span className="background-time">{duration(t, now - Date.parse(startedAt))}</span>
            {of === session ? (
              <IconButton
                label={t("Show the log of {0}", command)}
                hint={t("Show the log")}
                onPress={() => store.jump({ session: of, row: callId, offset: 0 })}
              >
                <Icon name="terminal" />
              </IconButton>
            ) : null}
            <IconButton
              label={t("Stop {0}", command)}
              hint={t("Stop")}
              testId="stop-background"
              onPress={() => actions.run("chat/end-background", { id })}
            >
              <Icon name="stop" />
            </IconButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
