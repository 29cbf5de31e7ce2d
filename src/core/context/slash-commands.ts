/** `/` commands in what a person types: the product's own, and the project's workflows. */
import { join } from "node:path";
import type { SlashCommand } from "../../shared/protocol.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { messageOf } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { readUnasked, type UnaskedFault } from "./unasked-file.ts";

/** The product's own commands. `task-words.ts` has the words that describe them. */
export const ownCommands = [
  "newtask",
  "compact",
  "smol",
  "newrule",
  "deep-planning",
  "init",
  "reportbug",
] as const;
export type OwnCommand = (typeof ownCommands)[number];

const workflowFolder = ".nekode/workflows";
/** How many workflows are looked at. */
const mostWorkflows = 100;

/** `/compact` and `/smol`, alone or with a wish behind them; undefined for anything else. */
export function compactCommand(text: string): { focus: string } | undefined {
  const found = /^\s*\/(?:compact|smol)(?:\s+([\s\S]*))?$/.exec(text);
  return found ? { focus: (found[1] ?? "").trim() } : undefined;
}

/**
 * The first command of a text that `known` knows: `/name` as a word of its own, outside back-ticks. `rest` is the text
 * without it. Paths and other words with a slash are no commands.
 */
export function findSlashCommand(
  text: string,
  known: (name: string) => boolean,
): { name: string; rest: string } | undefined {
  for (const match of text.matchAll(/(?<![^\s])\/([\p{L}\p{N}][\p{L}\p{N}._-]*)(?![^\s])/gu)) {
    const name = match[1] ?? "";
    if (!known(name) || inCode(text, match.index)) continue;
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    return { name, rest: `${before}${before.trim() === "" ? after.replace(/^[ \t]+/, "") : after}`.trim() };
  }
  return undefined;
}

function inCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return fences % 2 === 1 || (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

export function isOwnCommand(name: string): name is OwnCommand {
  return ownCommands.some((own) => own === name);
}

/** Every command that can be typed here, the product's own first. */
export async function listSlashCommands(host: Host): Promise<SlashCommand[]> {
  const own = ownCommands.map((name): SlashCommand => ({ name, kind: "command", description: "" }));
  const names = await workflowNames(host);
  const workflows = await Promise.all(
    names.map(async (name): Promise<SlashCommand> => {
      const text = await readWorkflow(host, name).catch(() => "");
      const line = text.split("\n").find((candidate) => candidate.replace(/^[#\s]+/, "") !== "") ?? "";
      return { name, kind: "workflow", description: line.replace(/^[#\s]+/, "").slice(0, 200) };
    }),
  );
  return [...own, ...workflows];
}

/** Names of the project's workflows; none in a workspace that is not trusted. */
export async function workflowNames({ files, workspace }: Host): Promise<string[]> {
  if (!workspace.trusted || workspace.root === undefined) return [];
  const entries = await files.list(join(workspace.root, workflowFolder)).catch(() => []);
  return entries
    .filter((entry) => entry.kind === "file" && /^[\p{L}\p{N}][\p{L}\p{N}._-]*\.md$/u.test(entry.name))
    .map((entry) => entry.name.slice(0, -".md".length))
    .filter((name) => !isOwnCommand(name))
    .sort()
    .slice(0, mostWorkflows);
}

const whyNot: Readonly<Record<UnaskedFault, string>> = {
  elsewhere: "it leads out of the project",
  secret: "it leads to a file that may hold secrets",
  ignored: "it is named in .nekodeignore",
  "too-large": "it is too large",
  "not-text": "it is not text",
  unreadable: "it cannot be read",
};

/** A workflow's text. Rejects with an Error that says why it cannot be used. */
export async function readWorkflow(host: Host, name: string): Promise<string> {
  const root = host.workspace.root ?? "";
  const read = await readUnasked(host, join(root, workflowFolder, `${name}.md`), root);
  if ("text" in read) return read.text;
  throw new Error(read.why ? reasonInEnglish(read.why) : whyNot[read.fault]);
}

/** The instructions of a workflow, or what to say where it cannot be read. */
export async function workflowInstructions(host: Host, name: string): Promise<string> {
  try {
    return await readWorkflow(host, name);
  } catch (error) {
    return `(The workflow ${name} cannot be used: ${messageOf(error)}. Tell the person.)`;
  }
}
