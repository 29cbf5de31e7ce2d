/** The Send button, and Stop while the agent works. */
import { usePanel, useView } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

interface ComposerButtonsProps {
  hasSomething: boolean;
  submit(): void;
}

export function ComposerButtons({ hasSomething, submit }: ComposerButtonsProps) {
  const { t, actions } = usePanel();
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
          disabled={!hasSomething}
          onPress={submit}
        >
          <Icon name="send" />
        </IconButton>
      )}
    </>
  );
}
