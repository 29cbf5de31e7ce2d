/** The list of the `/` menu. */
import type { SlashCommand } from "../../../src/shared/protocol.ts";
import { slashCommandText } from "../../../src/shared/words/command-words.ts";
import { definitionSourceText } from "../../../src/shared/words/definition-words.ts";
import type { Translate } from "../../../src/shared/words/task-words.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import type { Menu } from "../use-menu.ts";
import { CommandIcon } from "./command-icon.tsx";
import { MenuList } from "./menu-list.tsx";

/** Servers that the line under the list names. */
const MOST_NAMED = 5;

interface Props {
  menu: Menu<SlashCommand>;
  /** MCP servers whose prompts are not in the list. */
  unlisted: readonly string[];
}

export default function SlashList({ menu, unlisted }: Props) {
  const { t } = usePanel();
  const names = [...unlisted.slice(0, MOST_NAMED), ...(unlisted.length > MOST_NAMED ? ["…"] : [])].join(", ");
  return (
    <MenuList
      menu={menu}
      label={t("Commands")}
      testId="slash"
      tall
      keyOf={({ name }) => `/${name}`}
      titleOf={titleOf}
      foot={
        names === "" ? undefined : t("Prompts of MCP servers that have not run yet are not shown: {0}", names)
      }
    >
      {(command) => (
        <>
          <CommandIcon command={command} />
          <span className="picker-name">
            /{command.name}
            {command.args && (
              <span className="picker-args">
                {" "}
                <Visible text={command.args} />
              </span>
            )}
          </span>
          <span className="picker-note">
            <Visible text={noteOf(t, command)} />
          </span>
        </>
      )}
    </MenuList>
  );
}

/** Whose file the command is from, and what it does: of a long description, the list shows only the beginning. */
function noteOf(t: Translate, command: SlashCommand): string {
  const { from } = command;
  const parts = [from ? definitionSourceText(t, from) : "", slashCommandText(t, command)];
  return parts.filter((part) => part !== "").join(" · ");
}

function titleOf({ name, args, description }: SlashCommand): string {
  const usage = args === undefined ? `/${name}` : `/${name} ${args}`;
  return description === "" ? usage : `${usage}\n${description}`;
}
