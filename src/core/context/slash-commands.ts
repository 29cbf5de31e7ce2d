/** `/` commands in the user's input: built-in ones, the project's workflows, and prompts of MCP servers. */
import type { SlashCommand } from "../../shared/protocol.ts";
import { ASK_COMMAND, BUILT_IN_COMMANDS, isBuiltInCommand } from "../../shared/words/command-words.ts";
import { findWorkflows, workflowDescription } from "../instructions/workflows.ts";
import type { Host } from "../ports/host.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import { listServerPrompts } from "./server-prompts.ts";

/** A message for another model; `askedModels` reads it before the message becomes a turn. */
const ASK: SlashCommand = { name: ASK_COMMAND, kind: "command", description: "", args: "connection/model" };

const COMMAND = /(?<![^\s])\/([\p{L}\p{N}][\p{L}\p{N}._-]*(?::[\p{L}\p{N}][\p{L}\p{N}._-]*)?)(?![^\s])/gu;

/** Parses `/compact` and `/smol`, alone or followed by a focus; undefined for other text. */
export function compactCommand(text: string): { focus: string } | undefined {
  const match = /^\s*\/(?:compact|smol)(?:\s+([\s\S]*))?$/.exec(text);
  return match ? { focus: (match[1] ?? "").trim() } : undefined;
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

/** All available commands, the built-in ones first, those of `servers` last. */
export async function listSlashCommands(host: Host, servers?: ProjectServers): Promise<SlashCommand[]> {
  const offered = BUILT_IN_COMMANDS.filter((name) => name !== "verify-page" || host.browser !== undefined);
  const own = offered.map((name): SlashCommand => ({ name, kind: "command", description: "" }));
  const names = await workflowNames(host);
  const workflows = await Promise.all(
    names.map(
      async (name): Promise<SlashCommand> => ({
        name,
        kind: "workflow",
        description: await workflowDescription(host, name),
      }),
    ),
  );
  return [...own, ASK, ...workflows, ...(await listServerPrompts(servers))];
}

/** Names of the project's workflows, none of which replaces a command. */
export function workflowNames(host: Host): Promise<string[]> {
  return findWorkflows(host, (name) => isBuiltInCommand(name) || name === ASK.name);
}
