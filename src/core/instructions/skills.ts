/** Skills: folders with instructions for one kind of work, which the model loads when a task needs them, or which the user calls. */
import { basename } from "node:path";
import { SKILL_FILE } from "../instruction-kinds.ts";
import {
  callName,
  commonFields,
  DefinitionFields,
  describedIn,
  type FileDefinition,
  nameInPlugin,
} from "./definition-fields.ts";
import type { DefinitionFile } from "./definition-files.ts";

export interface Skill extends FileDefinition {
  kind: "skill";
  /** Patterns of the files that it is for; none: any work. */
  paths: string[];
}

/** Characters of the description together with `when_to_use`. */
const LONGEST_DESCRIPTION = 1_536;
/** What other products do with these fields, Nekode does not. */
const WITHOUT_EFFECT = [
  "model",
  "effort",
  "context",
  "agent",
  "background",
  "hooks",
  "shell",
  "disallowed-tools",
] as const;

export function skillOf(file: DefinitionFile, given: Readonly<Record<string, unknown>>, text: string): Skill {
  const fields = new DefinitionFields(given);
  const folder = file.below.at(-2) ?? basename(file.folder);
  const name = callName(fields, folder);
  if (fields.has("name") && fields.text("name") !== folder)
    fields.problems.push({ code: "name-differs", value: folder });
  const parts = [fields.text("description"), fields.text("when_to_use")].filter((part) => part !== "");
  const description = describedIn(fields, parts.join(" "), LONGEST_DESCRIPTION);
  if (description === "") fields.problems.push({ code: "no-description", value: "" });
  const allowed = fields.list("allowed-tools", ALLOWED_TOOLS);
  if (allowed.length > 0) fields.problems.push({ code: "allowed-tools", value: allowed.join(", ") });
  fields.withoutEffect(WITHOUT_EFFECT);
  return {
    kind: "skill",
    ...commonFields(file, fields),
    name: nameInPlugin(name, file.plugin),
    description,
    paths: fields.list("paths", COMMAS),
    byModel: description !== "" && !fields.flag("disable-model-invocation", false),
    byUser: fields.flag("user-invocable", true),
    body: text.trim(),
    problems: fields.problems,
  };
}

/** Between tools such as `Bash(git add *)`, `Read`: spaces and commas outside parentheses. */
export const ALLOWED_TOOLS = /[\s,]+(?![^(]*\))/;
/** A comma within braces is part of a pattern. */
const COMMAS = /,(?![^{]*\})/;

/** The folder of a skill for the user: without the name of its file. */
export function skillFolderName({ file }: Pick<Skill, "file">): string {
  return file.slice(0, -SKILL_FILE.length - 1);
}
