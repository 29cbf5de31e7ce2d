import { usePanel, useView } from "./panel.ts";
import { IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";

/** Messages that wait until the agent is idle. */
export function Queue() {
  const { t, actions } = usePanel();
  const items = useView((view) => view.queue);
  if (items.length === 0) return null;
  return (
    <ul className="queue" aria-label={t("Queued messages")}>
      {items.map((item) => (
        <li key={item.id} data-testid="queue-item">
          <span className="queue-text">{item.text}</span>
          <IconButton
            label={t("Remove from queue: {0}", item.text)}
            onPress={() => actions.run("chat/unqueue", { id: item.id })}
          >
            <Icon name="close" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
