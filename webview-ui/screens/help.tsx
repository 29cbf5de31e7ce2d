/** What can be typed in a message, all commands, and the way to the other screens. */
import { useEffect, useState } from "react";
import type { SlashCommand } from "../../src/shared/protocol.ts";
import { isPanelCommand, PANEL_COMMANDS, slashCommandText } from "../../src/shared/words/command-words.ts";
import { managedTitle } from "../../src/shared/words/managed-words.ts";
import { CommandIcon } from "../composer/menus/command-icon.tsx";
import { useRunCommand } from "../composer/panel-commands.ts";
import { ManagedItems } from "../managed/managed-lines.tsx";
import { useManaged } from "../managed/use-managed.ts";
import { usePanel } from "../panel.ts";
import type { ScreenName } from "../store.ts";
import styles from "../styles/help.css?text";
import { Visible } from "../text/visible.tsx";
import { adoptStyles } from "../toolkit/adopt.ts";
import { Button } from "../toolkit/button.tsx";
import { ScreenFrame } from "./screen.tsx";

adoptStyles(styles);

export default function HelpScreen() {
  const { t, store } = usePanel();
  const commands = useCommands();
  const choose = useChoose();
  const keys = [
    ["@", t("adds files, folders, problems, terminal output and commits")],
    ["/", t("runs commands and your project's workflows")],
    ["Enter", t("sends the message, or queues it while the agent works")],
    ["Shift+Enter", t("starts a new line")],
    ["Shift+Tab", t("chooses the next of Plan, Act and the agents")],
    ["↑", t("brings back an earlier message, at the start of the field")],
    ["Esc Esc", t("stops the agent")],
  ] as const;
  const others: readonly (readonly [ScreenName, string])[] = [
    ["history", t("History")],
    ["rules", t("Rules")],
    ["tools", t("Tools")],
    ["servers", t("MCP servers")],
    ["hooks", t("Hooks")],
    ["plugins", t("Plugins")],
    ["memory", t("Memory")],
    ["connections", t("Connections")],
    ["health", t("Performance and checks")],
  ];
  return (
    <ScreenFrame title={t("Help")}>
      <div className="help" data-testid="help">
        <h3>{t("In the message")}</h3>
        <dl className="help-keys">
          {keys.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <h3>{t("Commands")}</h3>
        <ul>
          {commands.map((command) => (
            <li key={command.name}>
              <button
                type="button"
                className="help-command"
                data-testid="help-command"
                onClick={() => choose(command)}
              >
                <CommandIcon command={command} />
                <code>
                  <Visible text={`/${command.name}`} />
                </code>
                <span className="detail">
                  <Visible text={slashCommandText(t, command)} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        <h3>{t("Screens")}</h3>
        <div className="buttons">
          {others.map(([name, title]) => (
            <Button key={name} onPress={() => store.show(name)}>
              {title}
            </Button>
          ))}
        </div>
        <Managed />
      </div>
    </ScreenFrame>
  );
}

function Managed() {
  const { t } = usePanel();
  const list = useManaged();
  if (!list) return null;
  return (
    <>
      <h3>{t("Managed on this computer")}</h3>
      <p className="detail">
        <Visible text={managedTitle(t, list)} />
      </p>
      <ManagedItems list={list} />
    </>
  );
}

/** Those of the panel first; only those while the host has not answered. */
function useCommands(): readonly SlashCommand[] {
  const { actions } = usePanel();
  const [others, setOthers] = useState<readonly SlashCommand[]>([]);
  useEffect(() => {
    let isGone = false;
    void actions.ask("slash/list", {}).then((answer) => {
      if (!isGone && answer) setOthers(answer.commands);
    });
    return () => {
      isGone = true;
    };
  }, [actions]);
  const own = PANEL_COMMANDS.map((name): SlashCommand => ({ name, kind: "command", description: "" }));
  return [...own, ...others];
}

/** Carries out a command of the panel; begins a message with another. */
function useChoose(): (command: SlashCommand) => void {
  const { store, composer } = usePanel();
  const run = useRunCommand();
  return ({ name }) => {
    store.show("chat");
    if (isPanelCommand(name)) run(`/${name}`);
    else composer.insert(`/${name}`);
  };
}
