/** The text of a skill or a command with what the user wrote after its name, and with the variables of the products that it is from. */
import type { Command } from "../instructions/commands.ts";
import type { Skill } from "../instructions/skills.ts";
import type { Host } from "../ports/host.ts";
import { pluginVariables } from "../ports/plugins.ts";
import { readPromptArguments } from "./prompt-arguments.ts";

export interface DefinitionUse {
  /** What was written after the name. */
  typed: string;
  sessionId: string;
}

export interface ExpandedDefinition {
  text: string;
  /** Names of the inputs for which there is no value. */
  missing: string[];
}

/** Inputs as VS Code's prompt files have them: `${input:name}` and `${input:name:placeholder}`. */
const INPUT = /\$\{input:([^}:]{1,100})(?::([^}]*))?\}/g;
/** All that may be replaced. What is not known stays as it is: a text about a shell has its own variables. */
const PLACEHOLDER =
  /\$ARGUMENTS(?:\[(\d{1,3})\])?(?!\w)|\$(\d{1,3})(?!\w)|\$\{(?:input:)?([^}]{1,200})\}|\$([A-Za-z_]\w*)/g;
/** Upper-case names that Codex's prompts use without a declaration. */
const CODEX_NAME = /\$([A-Z][A-Z0-9_]*)(?!\w)/g;
/** Claude's form for the output of a command that runs before the model reads the text. */
const COMMAND_OUTPUT = /!`[^`\n]+`|^```!/m;

const COMMANDS_NOT_RUN =
  "(The commands that this text marks with ! were not run. Where their output matters, run them with execute_command.)";

/** The inputs that the text asks the user for, in order. */
export function inputsOf({ body }: Pick<Skill | Command, "body">): { name: string; placeholder: string }[] {
  const inputs = new Map<string, string>();
  for (const [, name = "", placeholder = ""] of body.matchAll(INPUT))
    if (!inputs.has(name)) inputs.set(name, placeholder);
  return [...inputs].map(([name, placeholder]) => ({ name, placeholder }));
}

/** How the command is used, such as `name=placeholder`; "": it says nothing about that. */
export function usageOfDefinition(definition: Skill | Command): string {
  if (definition.hint !== undefined) return definition.hint;
  const names = inputsOf(definition).map(({ name }) => name.replace(/\s+/g, "-"));
  return names.join(" ");
}

export async function expandDefinition(
  host: Pick<Host, "workspace" | "surroundings">,
  definition: Skill | Command,
  { typed, sessionId }: DefinitionUse,
): Promise<ExpandedDefinition> {
  const { body, kind, source } = definition;
  const text = typed.trim();
  const names = argumentNames(definition);
  const named = readPromptArguments(
    text,
    names.map((name) => ({ name, required: false })),
  ).values;
  const inputs = inputsOf(definition).map(({ name }) => ({ name, required: true }));
  const { values, missing } = readPromptArguments(text, inputs);
  const variables = body.includes("${") ? await variablesOf(host, definition, sessionId) : {};
  const argument = argumentReader(text, source);
  let usesArguments = inputs.length > 0;
  const expanded = body.replace(
    PLACEHOLDER,
    (whole, index?: string, number?: string, variable?: string, name?: string) => {
      if (variable !== undefined) return variableValue(whole, variable, variables, values);
      const isNamed = name !== undefined && names.includes(name);
      const value = isNamed ? (named[name] ?? "") : name === undefined ? argument(index, number) : undefined;
      if (value === undefined) return whole;
      usesArguments = true;
      return value;
    },
  );
  // The user's message has the words that follow a workflow.
  const isOwnForm = kind === "command" && (source === "nekode" || source === "cline");
  const added = usesArguments || isOwnForm || text === "" ? "" : `\n\nARGUMENTS: ${text}`;
  const note = COMMAND_OUTPUT.test(body) ? `\n\n${COMMANDS_NOT_RUN}` : "";
  return { text: `${expanded}${added}${note}`, missing };
}

/** The text of `$ARGUMENTS`, `$ARGUMENTS[index]` or `$number`; undefined: it stays as it is. */
function argumentReader(text: string, source: Skill["source"]) {
  const words = wordsOf(text);
  // The numbers of Codex and OpenCode begin at 1, those of skills at 0.
  const first = source === "codex" || source === "opencode" ? 1 : 0;
  return (index: string | undefined, number: string | undefined): string | undefined => {
    if (index !== undefined) return words[Number(index)] ?? "";
    if (number === undefined) return text;
    // Without arguments, $1 is more likely a part of a shell command.
    return text === "" ? undefined : (words[Number(number) - first] ?? "");
  };
}

function variableValue(
  whole: string,
  variable: string,
  variables: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>>,
): string {
  if (!whole.startsWith("${input:"))
    return Object.hasOwn(variables, variable) ? (variables[variable] ?? whole) : whole;
  const [name = ""] = variable.split(":");
  return inputs[name] ?? `(${name}: not given; ask the user for it)`;
}

function argumentNames({ argumentNames: declared, source, body }: Skill | Command): readonly string[] {
  if (source !== "codex" || declared.length > 0) return declared;
  const names = [...body.matchAll(CODEX_NAME)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => name !== "ARGUMENTS");
}

/** Words as a shell has them: quotes join. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}

/** By name. What the user has selected is named rather than quoted: the model reads it as it may read any file. */
async function variablesOf(
  { workspace, surroundings }: Pick<Host, "workspace" | "surroundings">,
  { folder, plugin }: Skill | Command,
  sessionId: string,
): Promise<Record<string, string>> {
  const root = workspace.root ?? "(no folder is open)";
  const file = await surroundings.currentFile?.();
  const selected = surroundings.selection?.();
  const selection = selected && `(lines ${selected.start} to ${selected.end} of ${selected.path})`;
  return {
    CLAUDE_SKILL_DIR: folder,
    CLAUDE_PROJECT_DIR: root,
    CLAUDE_SESSION_ID: sessionId,
    ...(plugin ? pluginVariables(plugin) : {}),
    workspaceFolder: root,
    workspaceFolderBasename: root.split(/[\\/]/).at(-1) ?? root,
    file: file?.path ?? "(no file is open)",
    selection: selection ?? "(nothing is selected)",
    selectedText: selection ?? "(nothing is selected)",
  };
}
