/** All tools, by who offers them: each with a switch, and what it adds to every request. */
import { useCallback, useEffect, useState } from "react";
import {
  type ListedModelTool,
  type ToolGroup,
  type ToolList,
  type ToolSwitchAction,
  tokensOfTools,
  toolListSchema,
} from "../../src/shared/tool-list.ts";
import { fixedToolText, toolGroupTitle } from "../../src/shared/words/tool-words.ts";
import { usePanel } from "../panel.ts";
import { About } from "../servers/about.tsx";
import { Visible } from "../text/visible.tsx";
import { Switch } from "../toolkit/switch.tsx";
import { ScreenFrame } from "./screen.tsx";

export default function ToolsScreen() {
  const { t } = usePanel();
  const { listed, ask } = useTools();
  const { groups = [], canChange = true } = listed ?? {};
  const sum = tokensOfTools(groups.flatMap(({ tools }) => tools));
  return (
    <ScreenFrame title={t("Tools")}>
      <div className="servers without-icons" data-testid="tools-list" aria-busy={listed === null}>
        <p className="detail">
          {t(
            "Every request to the model contains the tools that are on. A change applies from your next message and to all your projects.",
          )}
        </p>
        {listed ? (
          <p className="tools-sum" data-testid="tools-sum">
            {t("About {0} tokens in each request", sum.toLocaleString("en"))}
          </p>
        ) : null}
        <ul className="server-items">
          {groups.map((group) => (
            <Group
              key={`${group.origin} ${ownerOf(group)}`}
              group={group}
              canChange={canChange}
              choose={(action) => void ask(action)}
            />
          ))}
        </ul>
      </div>
    </ScreenFrame>
  );
}

function ownerOf({ id, owner }: ToolGroup): string {
  return id ?? owner;
}

interface GroupProps {
  group: ToolGroup;
  canChange: boolean;
  choose(action: ToolSwitchAction): void;
}

function Group({ group, canChange, choose }: GroupProps) {
  const { t } = usePanel();
  const { origin, tools } = group;
  const on = tools.filter((tool) => tool.on).length;
  return (
    <li className="server-item" data-testid="tool-group">
      <h3>
        <Visible text={toolGroupTitle(t, group)} />
      </h3>
      <p className="detail">
        {t("{0} of {1} on", on, tools.length)} · {tokensText(t, tokensOfTools(tools))}
      </p>
      {origin === "extension" ? (
        <p className="detail">
          {t(
            "These tools ask before each call unless you always allow one, and are not available in plan mode. What they do is up to the extension.",
          )}
        </p>
      ) : null}
      <ul className="server-things">
        {tools.map((tool) => (
          <Tool
            key={tool.name}
            tool={tool}
            canChange={canChange}
            change={(value) => choose({ origin, owner: ownerOf(group), name: tool.name, on: value })}
          />
        ))}
      </ul>
    </li>
  );
}

function tokensText(t: ReturnType<typeof usePanel>["t"], tokens: number): string {
  return t("{0} tokens", tokens.toLocaleString("en"));
}

interface ToolProps {
  tool: ListedModelTool;
  canChange: boolean;
  change(on: boolean): void;
}

function Tool({ tool, canChange, change }: ToolProps) {
  const { t } = usePanel();
  const { name, title, description, on, tokens, fixed } = tool;
  return (
    <li className="server-thing server-tool" data-testid="listed-tool">
      <span className="server-tool-name">
        <code>
          <Visible text={name} />
        </code>{" "}
        <span className="detail">
          {title === undefined ? null : (
            <>
              <Visible text={title} />
              {" · "}
            </>
          )}
          <span className="tool-cost">{tokensText(t, tokens)}</span>
        </span>
      </span>
      <Switch
        name={t("Tool {0}", name)}
        on={on}
        disabled={!canChange || fixed !== undefined}
        change={change}
      />
      {fixed === undefined ? null : <p className="detail">{fixedToolText(t, fixed)}</p>}
      <About text={description} id={`listed ${name}`} />
    </li>
  );
}

/** Requests the tools when the screen opens. Each change returns the list as it is afterwards. */
function useTools(): { listed: ToolList | null; ask(action: ToolSwitchAction | null): Promise<void> } {
  const { actions } = usePanel();
  const [listed, setListed] = useState<ToolList | null>(null);
  const ask = useCallback(
    async (action: ToolSwitchAction | null) => {
      const answer = await actions.ask("tools/ask", { ask: action });
      if (answer) setListed(toolListSchema.parse(answer.list));
    },
    [actions],
  );
  useEffect(() => void ask(null), [ask]);
  return { listed, ask };
}
