/** `/` commands in the user's input: built-in ones, the project's workflows, and prompts of MCP servers. */
import { join } from "node:path";
import type { SlashCommand } from "../../shared/protocol.ts";
import { rulesFileFaultText } from "../../shared/words/notice-words.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { translator } from "../../shared/words/task-words.ts";
import { messageOf } from "../errors.ts";
import { readDescription } from "../instructions/front-matter.ts";
import { readInstructionFile } from "../instructions/instruction-file.ts";
import type { Host } from "../ports/host.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import { listServerPrompts } from "./server-prompts.ts";

/** The built-in commands. `command-words.ts` has their descriptions. */
export const BUILT_IN_COMMANDS = [
  "newtask",
  "compact",
  "smol",
  "newrule",
  "deep-planning",
  "init",
  "verify-page",
  "reportbug",
] as const;
export type BuiltInCommand = (typeof BUILT_IN_COMMANDS)[number];

/** A message for another model; `askedModels` reads it before the message becomes a turn. */
const ASK: SlashCommand = { name: "ask", kind: "command", description: "", args: "connection/model" };

const WORKFLOW_FOLDER = ".nekode/workflows";
/** Maximum number of workflows; the others are ignored. */
const MAX_WORKFLOWS = 100;

const COMMAND = /(?<![^\s])\/([\p{L}\p{N}][\p{L}\p{N}._-]*(?::[\p{L}\p{N}][\p{L}\p{N}._-]*)?)(?![^\s])/gu;

/** Parses `/compact` and `/smol`, alone or followed by a focus; undefined for other text. */
export function compactCommand(text: string): { focus: string } | undefined {
  const found = /^\s*\/(?:compact|smol)(?:\s+([\s\S]*))?$/.exec(text);
  return found ? { focus: (found[1] ?? "").trim() } : undefined;
}

/**
 * The first known command of a text: `/name` or `/server:prompt` as a separate word, outside code. `after` is the text that
 * follows it, `rest` all text without it. Paths and other words that contain a slash are not commands.
 */
export function findSlashCommand(
  text: string,
  known: (name: string) => boolean,
): { name: string; after: string; rest: string } | undefined {
  for (const match of text.matchAll(COMMAND)) {
    const name = match[1] ?? "";
    if (!known(name) || inCode(text, match.index)) continue;
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    const rest = `${before}${before.trim() === "" ? after.replace(/^[ \t]+/, "") : after}`.trim();
    return { name, after, rest };
  }
  return undefined;
}

function inCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return fences % 2 === 1 || (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

export function isBuiltInCommand(name: string): name is BuiltInCommand {
  return BUILT_IN_COMMANDS.some((own) => own === name);
}

/** All available commands, the built-in ones first, those of `servers` last. */
export async function listSlashCommands(host: Host, servers?: ProjectServers): Promise<SlashCommand[]> {
  const offered = BUILT_IN_COMMANDS.filter((name) => name !== "verify-page" || host.browser !== undefined);
  const own = offered.map((name): SlashCommand => ({ name, kind: "command", description: "" }));
  const names = await workflowNames(host);
  const workflows = await Promise.all(
    names.map(async (name): Promise<SlashCommand> => {
      const { text, description } = await readWorkflow(host, name).catch((): Workflow => ({ text: "" }));
      if (description !== undefined)
        return { name, kind: "workflow", description: description.slice(0, 200) };
      const line = text.split("\n").find((candidate) => candidate.replace(/^[#\s]+/, "") !== "") ?? "";
      return { name, kind: "workflow", description: line.replace(/^[#\s]+/, "").slice(0, 200) };
    }),
  );
  return [...own, ASK, ...workflows, ...(await listServerPrompts(servers))];
}

/** Names of the project's workflows; none in an untrusted workspace. */
export async function workflowNames({ files, workspace }: Host): Promise<string[]> {
  if (!workspace.trusted || workspace.root === undefined) return [];
  const entries = await files.list(join(workspace.root, WORKFLOW_FOLDER)).catch(() => []);
  return entries
    .filter((entry) => entry.kind === "file" && /^[\p{L}\p{N}][\p{L}\p{N}._-]*\.md$/u.test(entry.name))
    .map((entry) => entry.name.slice(0, -".md".length))
    .filter((name) => !isBuiltInCommand(name) && name !== ASK.name)
    .sort()
    .slice(0, MAX_WORKFLOWS);
}

interface Workflow {
  text: string;
  /** From its front matter. */
  description?: string;
}

/** Rejects with an Error that states why the workflow cannot be used. */
async function readWorkflow(host: Host, name: string): Promise<Workflow> {
  const root = host.workspace.root ?? "";
  const read = await readInstructionFile(host, join(root, WORKFLOW_FOLDER, `${name}.md`), root);
  if ("text" in read) {
    const content = await readDescription(read.text);
    if ("why" in content) throw new Error(reasonInEnglish(content.why));
    return content;
  }
  // In English, because only the model receives it.
  const detail = read.why && reasonInEnglish(read.why);
  throw new Error(rulesFileFaultText(translator({}), read.fault, detail));
}

/** A workflow's text, or a note for the model if it cannot be read. */
export async function workflowInstructions(host: Host, name: string): Promise<string> {
  try {
    return (await readWorkflow(host, name)).text;
  } catch (error) {
    return `(The workflow ${name} cannot be used: ${messageOf(error)}. Tell the user.)`;
  }
}
