/** Levels of permission and access classes in words. */
import type { AccessClass, Level } from "../permission/levels.ts";
import type { Translate } from "./task-words.ts";

/** A word or two, for the line under the input. */
export function levelWord(t: Translate, level: Level | "custom"): string {
  switch (level) {
    case "ask":
      return t("Ask");
    case "edits":
      return t("Edits");
    case "safe":
      return t("Safe commands");
    case "all":
      return t("Everything");
    case "custom":
      return t("Custom");
  }
}

export function levelTitle(t: Translate, level: Level): string {
  switch (level) {
    case "ask":
      return t("Ask each time");
    case "edits":
      return t("Edits");
    case "safe":
      return t("Edits and safe commands");
    case "all":
      return t("Everything");
  }
}

/** What runs without asking at this level. */
export function levelText(t: Translate, level: Level): string {
  switch (level) {
    case "ask":
      return t("Only read without asking: workspace files and, in the sandbox, with read-only commands.");
    case "edits":
      return t("Read and edit workspace files without asking. In the sandbox, also run read-only commands.");
    case "safe":
      return t(
        "In the sandbox, also run commands without asking. Without a sandbox, only commands that read.",
      );
    case "all":
      return t("Only protected files ask, and denied commands are rejected.");
  }
}

export function accessTitle(t: Translate, name: AccessClass): string {
  switch (name) {
    case "read":
      return t("Read workspace files");
    case "readOutside":
      return t("Read other files");
    case "edit":
      return t("Edit workspace files");
    case "editOutside":
      return t("Edit other files");
    case "commandRead":
      return t("Run read-only commands");
    case "commandSafe":
      return t("Run safe commands");
    case "commandAll":
      return t("Run all commands");
    case "web":
      return t("Access the web");
    case "mcp":
      return t("Call tools of MCP servers");
  }
}
