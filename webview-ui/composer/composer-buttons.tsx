/** The buttons under the text: what can be added, Stop while the agent works, Send. */
import { useRef } from "react";
import { usePanel, useView } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

interface ComposerButtonsProps {
  hasSomething: boolean;
  attach(files: Iterable<File>): void;
  /** Begins a mention at the cursor. */
  mention(): void;
  submit(): void;
}

export function ComposerButtons({ hasSomething, attach, mention, submit }: ComposerButtonsProps) {
  const { t, actions } = usePanel();
  const busy = useView((view) => view.status !== "idle");
  return (
    <div className="composer-buttons">
      <span className="composer-add">
        <IconButton label={t("Mention a file, the terminal, a commit…")} testId="mention" onPress={mention}>
          <Icon name="at" />
        </IconButton>
        <AttachButton attach={attach} />
      </span>
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
    </div>
  );
}

/** Opens the system's own choice of files. */
function AttachButton({ attach }: { attach(files: Iterable<File>): void }) {
  const { t } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        onChange={(event) => {
          attach(event.currentTarget.files ?? []);
          // The same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
      <IconButton label={t("Attach images")} testId="attach" onPress={() => input.current?.click()}>
        <Icon name="image" />
      </IconButton>
    </>
  );
}
