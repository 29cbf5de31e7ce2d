/** The Send button, and Stop while the agent works. */

import { useForecast } from "../models/use-forecast.ts";
import { usePanel, useView } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

interface ComposerButtonsProps {
  hasSomething: boolean;
  /** The text to send. */
  text(): string;
  submit(): void;
}

export function ComposerButtons({ hasSomething, text, submit }: ComposerButtonsProps) {
  const { t, actions } = usePanel();
  const { hint, ask } = useForecast(text);
  const busy = useView((view) => view.status !== "idle");
  return (
    <>
      {busy ? (
        <IconButton label={t("Stop")} testId="stop" onPress={() => actions.run("chat/stop", {})}>
          <Icon name="stop" />
        </IconButton>
      ) : null}
      {busy && !hasSomething ? null : (
        <IconButton
          label={busy ? t("Queue") : t("Send")}
          testId="send"
          hint={busy ? undefined : hint}
          disabled={!hasSomething}
          onEnter={ask}
          onPress={submit}
        >
          <Icon name="send" />
        </IconButton>
      )}
    </>
  );
}
