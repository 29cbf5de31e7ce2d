/** Words about the list of all tools. */
import type { ListedModelTool, ToolGroup } from "../tool-list.ts";
import type { Translate } from "./task-words.ts";

/** The title of a group. */
export function toolGroupTitle(t: Translate, { origin, owner }: Pick<ToolGroup, "origin" | "owner">): string {
  switch (origin) {
    case "built-in":
      return t("Built in");
    case "server":
      return t("MCP server {0}", owner);
    case "extension":
      return t("Extension {0}", owner);
  }
}

/** Why a tool has no switch. */
export function fixedToolText(t: Translate, fixed: NonNullable<ListedModelTool["fixed"]>): string {
  switch (fixed) {
    case "needed":
      return t("Always on: every task needs it.");
    case "editor-chat":
      return t("Works only in the editor's own chat.");
    case "broken":
      return t("Cannot be used: its parameters are not valid.");
  }
}
