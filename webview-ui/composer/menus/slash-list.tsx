/** The list of the `/` menu. */
import type { SlashCommand } from "../../../src/shared/protocol.ts";
import { slashCommandText } from "../../../src/shared/words/command-words.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import type { Menu } from "../use-menu.ts";
import { MenuList } from "./menu-list.tsx";

export default function SlashList({ menu }: { menu: Menu<SlashCommand> }) {
  const { t } = usePanel();
  return (
    <MenuList
      menu={menu}
      label={t("Commands")}
      testId="slash"
      tall
      keyOf={({ name }) => `/${name}`}
      titleOf={titleOf}
    >
      {({ name, kind, description, args }) => (
        <>
          <span className="picker-name">
            /{name}
            {args && (
              <span className="picker-args">
                {" "}
                <Visible text={args} />
              </span>
            )}
          </span>
          <span className="picker-note">
            {kind === "command" ? slashCommandText(t, name) : <Visible text={description} />}
          </span>
        </>
      )}
    </MenuList>
  );
}

function titleOf({ name, args, description }: SlashCommand): string {
  const usage = args === undefined ? `/${name}` : `/${name} ${args}`;
  return description === "" ? usage : `${usage}\n${description}`;
}
