/** The agents of the project, of the user and of the product, with plan and act: one of them works from the next turn on. */
import { useEffect, useState } from "react";
import { type AgentItem, agentListSchema } from "../../src/shared/agent-list.ts";
import { agentItemText, agentItemTitle, modeItems } from "../../src/shared/words/agent-words.ts";
import { usePanel, useView } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { FootGroup, FootMark, FootMenu } from "./foot-menu.tsx";
import type { PopoverProps } from "./use-popover.ts";

export default function AgentMenu({ button, close }: PopoverProps) {
  const { t, actions } = usePanel();
  const mode = useView((view) => view.mode);
  const agent = useView((view) => view.agent);
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
  return (
    <FootMenu button={button} close={close} label={t("Agent")} testId="agent-menu" busy={agents === null}>
      <FootGroup label={t("From your next message")}>
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
      </FootGroup>
    </FootMenu>
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
      <FootMark on={on} />
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
