/** Commands: prompt files whose text the user sends with the slash command of the same name. */
import { modelsOf } from "./agents.ts";
import {
  callName,
  commonFields,
  DefinitionFields,
  describedIn,
  type FileDefinition,
  nameInPlugin,
} from "./definition-fields.ts";
import type { DefinitionFile } from "./definition-files.ts";
import { ALLOWED_TOOLS } from "./skills.ts";

export interface Command extends FileDefinition {
  kind: "command";
  /** The agent that the file asks for, by its name there. */
  agent?: string;
  /** `connection/id` of the models that the file asks for, the preferred one first. */
  models: readonly string[];
}

/** Characters of the longest description. */
const DESCRIPTION_LENGTH = 200;
/** What other products do with these fields, Nekode does not. */
const WITHOUT_EFFECT = ["subtask", "effort", "hooks"] as const;

export function commandOf(
  file: DefinitionFile,
  given: Readonly<Record<string, unknown>>,
  text: string,
): Command {
  const fields = new DefinitionFields(given);
  const name = callName(fields, (file.below.at(-1) ?? "").replace(/(?:\.prompt)?\.md$/i, ""));
  const stated = fields.text("description");
  const description =
    stated === ""
      ? firstLine(text).slice(0, DESCRIPTION_LENGTH)
      : describedIn(fields, stated, DESCRIPTION_LENGTH);
  for (const key of ["allowed-tools", "tools"]) {
    const allowed = fields.list(key, ALLOWED_TOOLS);
    if (allowed.length > 0) fields.problems.push({ code: "allowed-tools", value: allowed.join(", ") });
  }
  fields.withoutEffect(WITHOUT_EFFECT);
  // What VS Code calls an agent now was a mode before, and is one in Roo Code.
  const agent = fields.text("agent") || fields.text("mode");
  return {
    kind: "command",
    ...(agent === "" ? {} : { agent }),
    models: modelsOf(fields, file),
    ...commonFields(file, fields),
    name: nameInPlugin(name, file.plugin),
    description,
    byModel: false,
    byUser: true,
    body: text.trim(),
    problems: fields.problems,
  };
}

function firstLine(text: string): string {
  const lines = text.split("\n", 50).map((line) => line.replace(/^[#\s]+/, "").trim());
  return lines.find((line) => line !== "") ?? "";
}
