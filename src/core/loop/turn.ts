/** The user messages of a task: the first with the wish, later ones with what the product adds. */

import type { Block, Message } from "../../shared/message.ts";
import { modelOf } from "../../shared/model.ts";
import type { Settings } from "../../shared/settings.ts";
import { environmentDetails } from "../context/environment.ts";
import { expandMentions, type MentionProblem } from "../context/expand-mentions.ts";
import { todoReminder } from "../context/focus-chain.ts";
import {
  findSlashCommand,
  isOwnCommand,
  workflowInstructions,
  workflowNames,
} from "../context/slash-commands.ts";
import type { Host } from "../ports/host.ts";
import { commandInstructions, explicitInstructions } from "../prompts/slash-prompts.ts";
import type { ToolContext } from "../tools/tool.ts";
import { blockTokens } from "../window/window.ts";
import type { Conversation } from "./conversation.ts";
import type { Judge } from "./permission.ts";
import type { RulesNews } from "./rules-in-force.ts";

/** Share of the context window that the contents of a message's mentions may fill, and of what the instructions leave. */
const mentionShare = 0.4;
const roomShare = 0.7;
/** Tokens of what stands around a message's words and around a mention's content. */
const frameTokens = 100;

export interface Said {
  text: string;
  images: readonly { mimeType: string; data: string }[];
  /** Written by the model and agreed to by the user: its mentions of files count, where reading needs no approval. */
  byModel?: boolean;
}

export interface TurnOptions {
  host: Host;
  settings(): Settings;
  conversation: Conversation;
  context: ToolContext;
  judge: Judge;
  signal: AbortSignal;
  /** Tokens of the window of the model that gets it, and those of our own estimate that a message may have in it. */
  window: number;
  room: number;
}

/**
 * What the person said, as the model gets it: a slash command's instructions, the words in the tag that `wrap` puts around
 * them, and what their mentions stand for.
 */
export async function saidText(
  said: Said,
  wrap: (text: string) => string,
  options: TurnOptions,
): Promise<string> {
  if (said.byModel && !options.settings().approval.read) return wrap(said.text);
  const own = blocksTokens([{ type: "text", text: said.text }, ...said.images.map(imageBlock)]);
  const { host, settings, signal, context, judge, window, room } = options;
  // What the model wrote reaches no further than what it may read unasked.
  const command = said.byModel ? undefined : await slashCommand(said.text, options);
  const { text, attachments, problems } = await expandMentions(command?.rest ?? said.text, {
    host,
    signal,
    maxTokens: Math.min(window * mentionShare, Math.max(0, room - own - frameTokens) * roomShare),
    filesOnly: said.byModel ?? false,
    allowedHosts: settings().approval.privateHosts,
    refused: (path) => judge.refusal(path),
    onRead: (path, version) => context.seen.set(path, version),
  });
  tellProblems(problems, options);
  const instructions = command === undefined ? [] : [command.instructions];
  return [...instructions, wrap(text), ...attachments].join("\n\n");
}

/** Tells the person, below their message, what of it the model does not get as they may think. */
function tellProblems(
  problems: readonly MentionProblem[],
  { host, conversation, signal }: TurnOptions,
): void {
  if (problems.length === 0) return;
  const shown = conversation.onAppended(() => {
    shown.dispose();
    for (const kind of ["failed", "cut", "lossy"] as const) {
      const found = problems.filter((problem) => problem.kind === kind);
      if (found.length === 0) continue;
      const mentions = found.map(({ mention }) => mention).join(", ");
      const values = kind === "failed" ? found.flatMap(({ mention, why }) => [mention, ...why]) : [mentions];
      conversation.emit({ type: "notice", id: host.newId(), code: `mention-${kind}`, values });
    }
  });
  signal.addEventListener("abort", () => shown.dispose(), { once: true });
}

async function slashCommand(
  text: string,
  { host, settings, conversation }: TurnOptions,
): Promise<{ instructions: string; rest: string } | undefined> {
  if (!text.includes("/")) return undefined;
  const workflows = await workflowNames(host);
  const found = findSlashCommand(text, (name) => isOwnCommand(name) || workflows.includes(name));
  if (!found) return undefined;
  const { name, rest } = found;
  const facts = {
    shell: host.shell.kind,
    hostName: host.surroundings.hostName,
    os: host.system.os,
    model: modelOf(settings().provider, conversation.mode),
    mode: conversation.mode,
  };
  const instructions = isOwnCommand(name)
    ? commandInstructions(name, facts)
    : await workflowInstructions(host, name);
  return { instructions: explicitInstructions(name, instructions), rest };
}

const imageBlock = (image: Said["images"][number]): Block => ({ type: "image", ...image });

function blocksTokens(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + blockTokens(block), 0);
}

export interface TurnParts {
  /** What the person said, already wrapped; each becomes a part of its own. Gets the options with the room that is left. */
  texts?(options: TurnOptions): Promise<string[]>;
  images?: Said["images"];
  display?: string;
  /** What changed in the rules. */
  news?: RulesNews | undefined;
  first?: boolean;
  enteredAct?: boolean;
}

/** How many answers there were when the todo list was last brought to mind; 0: never. */
function lastReminder(messages: readonly Message[]): number {
  const at = messages.findLastIndex(
    ({ role, blocks }) =>
      role === "user" && blocks.some((block) => block.type === "text" && isReminder(block)),
  );
  return messages.slice(0, at + 1).filter((message) => message.role === "assistant").length;
}

function isReminder({ text, source }: Extract<Block, { type: "text" }>): boolean {
  return source === "context" && text.startsWith("# TODO LIST");
}

/** A user message with the todo reminder and the environment details after what the person said. */
export async function userMessage(parts: TurnParts, options: TurnOptions): Promise<Message> {
  const { host, conversation, settings, signal } = options;
  const first = parts.first ?? false;
  const blocks: Block[] = [];
  // It holds for the rest of the task, so it is no detail that requests may leave out.
  if (parts.news) blocks.push({ type: "text", text: parts.news.text }, parts.news.block);
  const reminder = todoReminder({
    markdown: conversation.todo,
    requests: conversation.messages.filter((message) => message.role === "assistant").length,
    remindedAt: lastReminder(conversation.messages),
    first,
    enteredAct: parts.enteredAct ?? false,
    planMode: conversation.mode === "plan",
    edited: conversation.takeTodoEdit(),
  });
  if (reminder !== undefined) blocks.push({ type: "text", text: reminder, source: "context" });
  const details = await environmentDetails({
    host,
    first,
    mode: conversation.mode,
    totals: conversation.totals,
    maxFiles: settings().context.maxFiles,
    contextWindow: options.window,
    signal,
  });
  blocks.push({ type: "text", text: details, source: "context" });
  const room = options.room - blocksTokens(blocks);
  const texts = (await parts.texts?.({ ...options, room })) ?? [];
  blocks.unshift(
    ...texts.map((text): Block => ({ type: "text", text, source: "person" })),
    ...(parts.images ?? []).map(imageBlock),
  );
  return {
    id: host.newId(),
    role: "user",
    blocks,
    createdAt: host.clock.now().toISOString(),
    ...(parts.display === undefined ? {} : { display: parts.display }),
  };
}
