/** Messages that wait until the running step ends. They can be edited, reordered, sent now and removed. */
import { type KeyboardEvent, useState } from "react";
import type { QueueItem } from "../../src/shared/event.ts";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { usePanel, useView } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { QueueEditor } from "./queue-editor.tsx";

export default function QueueList() {
  const { t } = usePanel();
  const items = useView((view) => view.queue);
  const [edited, setEdited] = useState("");
  return (
    <ul className="queue" aria-label={t("Queued messages")}>
      {items.map((item, index) => (
        <li key={item.id} data-testid="queue-item">
          {edited === item.id ? (
            <QueueEditor item={item} end={() => setEdited("")} />
          ) : (
            <QueuedMessage
              item={item}
              index={index}
              last={items.length - 1}
              edit={() => setEdited(item.id)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

interface QueuedMessageProps {
  item: QueueItem;
  index: number;
  /** Index of the queue's last message. */
  last: number;
  edit(): void;
}

function QueuedMessage({ item: { id, text }, index, last, edit }: QueuedMessageProps) {
  const { t, actions } = usePanel();
  const move = (to: number) => {
    if (to >= 0 && to <= last) actions.run("chat/move-queued", { id, index: to });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isClaimedKey(event) || !event.altKey) return;
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    move(event.key === "ArrowUp" ? index - 1 : index + 1);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div className="queue-row" onKeyDown={onKeyDown}>
      <span className="queue-text" title={text}>
        {text}
      </span>
      <span className="queue-buttons">
        <IconButton
          label={t("Send now: {0}", text)}
          hint={t("Send now: ends the running step, and the model reads the message next")}
          testId="queue-send"
          onPress={() => actions.run("chat/send-queued", { id })}
        >
          <Icon name="send" />
        </IconButton>
        <IconButton label={t("Edit queued message: {0}", text)} testId="queue-edit" onPress={edit}>
          <Icon name="edit" />
        </IconButton>
        {last === 0 ? null : (
          <IconButton
            label={t("Move up: {0}", text)}
            hint={t("Move up (Alt+Up; Alt+Down moves it down)")}
            testId="queue-up"
            disabled={index === 0}
            onPress={() => move(index - 1)}
          >
            <Icon name="up" />
          </IconButton>
        )}
        <IconButton
          label={t("Remove from queue: {0}", text)}
          testId="queue-remove"
          onPress={() => actions.run("chat/unqueue", { id })}
        >
          <Icon name="close" />
        </IconButton>
      </span>
    </div>
  );
}
