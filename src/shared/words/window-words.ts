/** The kinds of content of a context window, in words. */
import type { WindowKind } from "../models/window-contents.ts";
import type { Translate } from "./task-words.ts";

export function windowKindTitle(t: Translate, kind: WindowKind): string {
  switch (kind) {
    case "system":
      return t("System prompt");
    case "tools":
      return t("Tools");
    case "servers":
      return t("MCP servers");
    case "rules":
      return t("Rules and instructions");
    case "files":
      return t("Files");
    case "results":
      return t("Tool results");
    case "conversation":
      return t("Conversation");
  }
}
