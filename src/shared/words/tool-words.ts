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

/** What a built-in tool does, as a list of tools says it; undefined: no built-in tool has this name. */
export function toolTitle(t: Translate, name: string): string | undefined {
  const titles: Readonly<Record<string, string>> = {
    read_file: t("Read files"),
    list_files: t("List files"),
    search_files: t("Search in files"),
    list_code_definition_names: t("List definitions"),
    code_symbols: t("Look up symbols"),
    read_terminal: t("Read terminals"),
    write_to_file: t("Write whole files"),
    replace_in_file: t("Replace text in files"),
    apply_patch: t("Apply patches"),
    delete_file: t("Delete files"),
    edit_notebook: t("Edit notebooks"),
    refactor_code: t("Rename and refactor"),
    new_rule: t("Write rules"),
    execute_command: t("Run commands"),
    run_tests: t("Run tests"),
    run_cell: t("Run cells of notebooks"),
    browser_action: t("Use the browser"),
    web_fetch: t("Fetch web pages"),
    web_search: t("Search the web"),
    start_task: t("Start subtasks"),
    remember: t("Write notes to memory"),
  };
  return Object.hasOwn(titles, name) ? titles[name] : undefined;
}
