/** Texts for the list of MCP servers. */
import type { ListedServer, ServerState } from "../../src/shared/server-list.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { IconName } from "../toolkit/icon.tsx";

export function serverStateText(
  t: Translate,
  { state, before }: Pick<ListedServer, "state" | "before">,
): string {
  switch (state) {
    case "off":
      return t("Disabled");
    case "managed":
      return t("Not allowed by your organization");
    case "untrusted":
      return before === undefined ? t("Waiting for your approval") : t("Changed: waiting for your approval");
    case "stopped":
      return t("Starts when needed");
    case "starting":
      return t("Starting…");
    case "running":
      return t("Running");
    case "failed":
      return t("Failed");
    case "sign-in":
      return t("Sign-in required");
  }
}

export const STATE_ICONS: Readonly<Record<ServerState, IconName>> = {
  off: "stop",
  managed: "lock",
  untrusted: "warning",
  stopped: "plug",
  starting: "plug",
  running: "check",
  failed: "close",
  "sign-in": "warning",
};

export function serverSourceText(t: Translate, { source }: Pick<ListedServer, "source">): string {
  switch (source) {
    case "user":
      return t("Yours, in every project");
    case "project":
      return t("This project's .mcp.json");
    case "vscode":
      return t("This project's .vscode/mcp.json");
    case "plugin":
      return t("From a plugin");
  }
}

/** What a server offers, in one line; "": nothing, or unknown. */
export function offerText(t: Translate, { tools, resources, templates, prompts }: ListedServer): string {
  const count = (items: readonly unknown[], one: string, many: string) =>
    items.length === 0 ? [] : [items.length === 1 ? one : many];
  return [
    ...count(tools, t("1 tool"), t("{0} tools", tools.length)),
    ...count(
      [...resources, ...templates],
      t("1 resource"),
      t("{0} resources", resources.length + templates.length),
    ),
    ...count(prompts, t("1 prompt"), t("{0} prompts", prompts.length)),
  ].join(" · ");
}
