/** `/` commands in the user's input: built-in ones, skills, prompt files, and prompts of MCP servers. */
import type { SlashCommand } from "../../shared/protocol.ts";
import { type ReviewScope, reviewScope } from "../../shared/review.ts";
import {
  ASK_COMMAND,
  BUILT_IN_COMMANDS,
  isBuiltInCommand,
  OLD_COMPACT,
} from "../../shared/words/command-words.ts";
import { SOURCE_TITLES } from "../instruction-kinds.ts";
import { type CatalogueSettings, readCallable } from "../instructions/catalogue.ts";
import type { Command } from "../instructions/commands.ts";
import type { Skill } from "../instructions/skills.ts";
import type { Host } from "../ports/host.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import { boundedLine } from "../servers/server-text.ts";
import { usageOfDefinition } from "./expand-definition.ts";
import { listServerPrompts } from "./server-prompts.ts";

/** A message for another model; `askedModels` reads it before the message becomes a turn. */
const ASK: SlashCommand = { name: ASK_COMMAND, kind: "command", description: "", args: "connection/model" };

/** Characters in the list. */
const DESCRIPTION_LENGTH = 200;
const ARGUMENTS_LENGTH = 120;

const commandPattern = () =>
  /(?<![^\s])\/([\p{L}\p{N}][\p{L}\p{N}._-]*(?::[\p{L}\p{N}][\p{L}\p{N}._-]*)?)(?![^\s])/gu;

/** Parses `/compact` and `/smol`, alone or followed by a focus; undefined for other text. */
export function compactCommand(text: string): { focus: string } | undefined {
  const match = /^\s*\/(?:compact|smol)(?:\s+([\s\S]*))?$/.exec(text);
  return match ? { focus: (match[1] ?? "").trim() } : undefined;
}

/** Parses `/review`, alone or followed by what to review. undefined: other text, also `/review` followed by a sentence. */
export function reviewCommand(text: string): ReviewScope | undefined {
  const match = /^\s*\/review(?:\s+([\s\S]*))?$/.exec(text);
  return match ? reviewScope((match[1] ?? "").split(/\s+/).filter((word) => word !== "")) : undefined;
}

/**
 * The first known command of a text: `/name` or `/server:prompt` as a separate word, outside code. `after` is the text that
 * follows it, `rest` all text without it. Paths and other words that contain a slash are not commands.
 */
export function findSlashCommand(
  text: string,
  known: (name: string) => boolean,
): { name: string; after: string; rest: string } | undefined {
  if (!text.includes("/")) return undefined;
  for (const match of text.matchAll(commandPattern())) {
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

export interface CommandUse {
  name: string;
  /** The text that follows it. */
  after: string;
  /** All text without it. */
  rest: string;
  /** The file that has its text; absent: the command is built in, or `known` otherwise. */
  definition?: Skill | Command;
}

/** The first command of a text. `known`: other commands than the built-in ones and those of files. */
export async function commandIn(
  text: string,
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
  known: (name: string) => boolean = () => false,
): Promise<CommandUse | undefined> {
  // Without a word that may be a command, no file is read.
  if (!findSlashCommand(text, () => true)) return undefined;
  const callable = await readCallable(host, settings, signal);
  const byName = new Map(callable.map((definition) => [definition.name, definition]));
  const command = findSlashCommand(text, (name) => isBuiltInCommand(name) || byName.has(name) || known(name));
  if (!command) return undefined;
  const definition = byName.get(command.name);
  return definition ? { ...command, definition } : command;
}

/** All available commands, the built-in ones first, those of `servers` last. */
export async function listSlashCommands(
  host: Host,
  settings: CatalogueSettings,
  servers?: ProjectServers,
): Promise<SlashCommand[]> {
  const unavailable = new Set<string>([
    ...(host.browser === undefined ? ["verify-page"] : []),
    ...(host.git === undefined ? ["pr", "review"] : []),
  ]);
  const callable = await readCallable(host, settings, new AbortController().signal);
  for (const { name } of callable) unavailable.add(name);
  const offered = BUILT_IN_COMMANDS.filter((name) => name !== OLD_COMPACT && !unavailable.has(name));
  const own = offered.map((name): SlashCommand => ({ name, kind: "command", description: "" }));
  const fromFiles = callable.map((definition): SlashCommand => {
    const { name, source, scope, file, plugin } = definition;
    const args = boundedLine(usageOfDefinition(definition), ARGUMENTS_LENGTH);
    return {
      name,
      kind: "workflow",
      description: boundedLine(definition.description, DESCRIPTION_LENGTH),
      ...(args === "" ? {} : { args }),
      from: { source: plugin?.name ?? SOURCE_TITLES[source], scope, file },
    };
  });
  return [...own, ASK, ...fromFiles, ...(await listServerPrompts(servers))];
}
