import type { SlashCommand } from "../../../src/shared/protocol.ts";
import { Icon, type IconName } from "../../toolkit/icon.tsx";

/** Of the built-in commands that have one of their own. */
const ICONS: Readonly<Record<string, IconName>> = {
  help: "question",
  model: "sparkle",
  clear: "add",
  newtask: "add",
  compact: "text",
  newrule: "edit",
  "deep-planning": "list-unordered",
  init: "file",
  "verify-page": "globe",
  pr: "branch",
  review: "diff",
  "fix-tests": "check",
  ask: "sparkle",
  reportbug: "warning",
};

export function CommandIcon({ command }: { command: SlashCommand }) {
  return <Icon name={iconOf(command)} />;
}

function iconOf({ kind, name }: SlashCommand): IconName {
  switch (kind) {
    case "command":
      return (Object.hasOwn(ICONS, name) ? ICONS[name] : undefined) ?? "terminal";
    case "workflow":
      return "book";
    case "prompt":
      return "plug";
  }
}
