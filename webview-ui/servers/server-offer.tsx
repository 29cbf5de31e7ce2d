/** What a server offers: its tools with the user's choices, its resources and its prompts. */
import type { ReactNode } from "react";
import type { ListedServer, ListedTool } from "../../src/shared/server-list.ts";
import { type ToolChoice, usageOf } from "../../src/shared/server-protocol.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Checkbox } from "../toolkit/checkbox.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { Switch } from "../toolkit/switch.tsx";
import { About } from "./about.tsx";

interface Props {
  server: ListedServer;
  refresh(): Promise<void>;
}

export function ServerOfferList({ server, refresh }: Props) {
  const { t, actions } = usePanel();
  const { name, state, tools, resources, templates, prompts } = server;
  const choose = async (tool: string, choice: ToolChoice, on: boolean) => {
    await actions.ask("servers/tool", { name, tool, choice, on });
    await refresh();
  };
  const all = [...resources, ...templates];
  if (tools.length + all.length + prompts.length === 0) {
    const known = state === "running";
    return (
      <p className="detail">
        {known ? t("The server offers nothing.") : t("Start the server to see its tools.")}
      </p>
    );
  }
  return (
    <>
      <List title={t("Tools")} of={tools}>
        {tools.map((tool) => (
          <Tool key={tool.name} tool={tool} choose={(choice, on) => void choose(tool.name, choice, on)} />
        ))}
      </List>
      <List title={t("Resources")} of={all}>
        {all.map(({ uri, name: title, description }) => (
          <li key={uri} className="server-thing">
            <code>
              <Visible text={uri} />
            </code>{" "}
            {title === uri ? null : (
              <span className="detail">
                <Visible text={title} />
              </span>
            )}
            <About text={description ?? ""} id={`${name} ${uri}`} />
          </li>
        ))}
      </List>
      <List title={t("Prompts")} of={prompts}>
        {prompts.map((prompt) => (
          <li key={prompt.name} className="server-thing">
            <code>
              <Visible text={`/${name}:${prompt.name}`} />
            </code>{" "}
            <span className="detail">
              <Visible text={usageOf(prompt.arguments)} />
            </span>
            <About text={prompt.description ?? ""} id={`${name} /${prompt.name}`} />
          </li>
        ))}
      </List>
    </>
  );
}

function List({ title, of, children }: { title: string; of: readonly unknown[]; children: ReactNode }) {
  if (of.length === 0) return null;
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      <ul className="server-things">{children}</ul>
    </section>
  );
}

function Tool({ tool, choose }: { tool: ListedTool; choose(choice: ToolChoice, on: boolean): void }) {
  const { t } = usePanel();
  const { name, title, on, always, reading, changed, hints } = tool;
  return (
    <li className="server-thing server-tool" data-testid="server-tool">
      <span className="server-tool-name">
        <code>
          <Visible text={name} />
        </code>{" "}
        {title === undefined || title === name ? null : (
          <span className="detail">
            <Visible text={title} />
          </span>
        )}
      </span>
      <Switch name={t("Tool {0}", name)} on={on} change={(value) => choose("on", value)} />
      <About text={tool.description} id={`tool ${name}`} />
      {changed ? (
        <p className="server-warning">
          <Icon name="warning" />{" "}
          {t("The description changed since you accepted it. The next call asks for approval.")}
        </p>
      ) : null}
      {hints.destructive ? (
        <p className="server-warning">
          <Icon name="warning" /> {t("According to the server, it may delete or overwrite data.")}
        </p>
      ) : null}
      {on ? (
        <div className="server-choices">
          <Checkbox
            name={t("Always allow {0}", name)}
            title={
              always === "listed"
                ? t("Allowed by autoApprove in the configuration file")
                : t("This tool runs without asking.")
            }
            on={always !== false}
            disabled={always === "listed"}
            change={(value) => choose("always", value)}
          >
            {t("Always allow")}
          </Checkbox>
          <Checkbox
            name={t("{0} only reads", name)}
            title={t("Plan mode may call this tool.")}
            on={reading}
            change={(value) => choose("reading", value)}
          >
            {t("Only reads")}
          </Checkbox>
        </div>
      ) : null}
    </li>
  );
}
