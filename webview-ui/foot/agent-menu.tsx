/** The agents of the project, of the user and of the product, with plan and act: one of them works from the next turn on. */
import { type KeyboardEvent, useEffect, useState } from "react";
import { type AgentItem, agentListSchema } from "../../src/shared/agent-list.ts";
import { agentItemText, agentItemTitle, modeItems } from "../../src/shared/words/agent-words.ts";
import { usePanel, useView } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { MenuKeys } from "../toolkit/menu-keys.ts";
import { type PopoverProps, usePopover } from "./use-popover.ts";

const chosenItem = (menu: HTMLElement) =>
  menu.querySelector<HTMLElement>("[aria-checked=true]") ?? menu.querySelector("button");

export default function AgentMenu({ button, close }: PopoverProps) {
  const { t, actions } = usePanel();
  const mode = useView((view) => view.mode);
  const agent = useView((view) => view.agent);
  const root = usePopover({ button, close }, chosenItem);
  const [keys] = useState(() => new MenuKeys());
  const [agents, setAgents] = useState<readonly AgentItem[] | null>(null);
  useEffect(() => {
    void actions.ask("agents/list", {}).then((answer) => {
      if (answer !== undefined) setAgents(agentListSchema.parse(answer).agents);
    });
  }, [actions]);
  const choose = (name: string) => {
    actions.run("agents/choose", { name });
    close(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    } else if (root.current && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (keys.press(root.current, event)) event.preventDefault();
    }
  };
  return (
    <div
      ref={root}
      className="picker foot-menu"
      role="menu"
      tabIndex={-1}
      aria-label={t("Agent")}
      aria-busy={agents === null}
      data-testid="agent-menu"
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a group of a menu */}
      <div role="group" aria-label={t("From your next message")} className="foot-group">
        <div className="picker-head" aria-hidden="true">
          {t("From your next message")}
        </div>
        {modeItems(t).map(({ name, title, text }) => (
          <Item
            key={name}
            name={name}
            title={title}
            text={text}
            on={agent === undefined && mode === name}
            choose={choose}
          />
        ))}
        {agents?.map((item) => (
          <Item
            key={item.name}
            name={item.name}
            title={agentItemTitle(item)}
            text={agentItemText(t, item)}
            on={agent === item.name}
            choose={choose}
          />
        ))}
      </div>
    </div>
  );
}

interface ItemProps {
  name: string;
  title: string;
  text: string;
  on: boolean;
  choose(name: string): void;
}

function Item({ name, title, text, on, choose }: ItemProps) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={on}
      tabIndex={-1}
      className="foot-item"
      data-testid="agent-option"
      data-agent={name}
      onClick={() => choose(name)}
    >
      <span className="foot-mark" aria-hidden="true">
        {on ? <Icon name="check" /> : null}
      </span>
      <span className="foot-item-text">
        <span>
          <Visible text={title} />
        </span>
        {text === "" ? null : (
          <span className="detail">
            <Visible text={text} />
          </span>
        )}
      </span>
    </button>
  );
}
