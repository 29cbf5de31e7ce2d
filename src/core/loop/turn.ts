/** The user messages of a task: the first with what the user asks for, later ones with what the product adds. */
import { findMentions } from "../../shared/mentions.ts";
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
import * as replies from "../prompts/replies.ts";
import { commandInstructions, explicitInstructions } from "../prompts/slash-prompts.ts";
import type { ToolContext } from "../tools/tool.ts";
import { blockTokens } from "../window/window.ts";
import type { Judge } from "./permission.ts";
import type { RulesInForce } from "./rules-in-force.ts";
import type { Transcript } from "./transcript.ts";

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

interface TurnOptions {
  host: Host;
  settings(): Settings;
  conversation: Transcript;
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
async function saidText(said: Said, wrap: (text: string) => string, options: TurnOptions): Promise<string> {
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

/** What a user message holds beside the environment; what the user said comes after `texts`. */
export interface TurnContent {
  said?: readonly Said[];
  /** What the product has to say to the model. */
  texts?: readonly string[];
}

export interface UserTurnsDeps {
  host: Host;
  settings(): Settings;
  conversation: Transcript;
  judge: Judge;
  context: ToolContext;
  rules: RulesInForce;
  /** Tokens of the window of the model that answers next, and how many of our own estimate a message may have in it. */
  room(signal: AbortSignal): Promise<{ window: number; room: number }>;
}

/** Makes the user messages of a task, and what the user says in answer to a call. */
export class UserTurns {
  readonly #deps: UserTurnsDeps;

  constructor(deps: UserTurnsDeps) {
    this.#deps = deps;
  }

  /** The words that answer a call, as its result. */
  async answer(said: Said, wrap: (text: string) => string, signal: AbortSignal): Promise<string> {
    return saidText(said, wrap, await this.#options([said], signal));
  }

  /** A user message: what was said, the todo reminder and the environment details. */
  async message({ said = [], texts = [] }: TurnContent, signal: AbortSignal): Promise<Message> {
    const { host, conversation, settings, rules } = this.#deps;
    const options = await this.#options(said, signal);
    const first = conversation.messages.length === 0;
    const blocks: Block[] = [];
    const news = rules.takeNews();
    // It applies for the rest of the task, so it is no detail that requests may leave out.
    if (news) blocks.push({ type: "text", text: news.text }, news.block);
    const reminder = todoReminder({
      markdown: conversation.todo,
      requests: conversation.messages.filter((message) => message.role === "assistant").length,
      remindedAt: lastReminder(conversation.messages),
      first,
      enteredAct: conversation.takeEnteredAct(),
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
    const room = (options.room - blocksTokens(blocks)) / Math.max(1, said.length);
    const wrap = first ? replies.task : replies.userMessage;
    const words = await Promise.all(said.map((item) => saidText(item, wrap, { ...options, room })));
    blocks.unshift(
      ...[...texts, ...words].map((text): Block => ({ type: "text", text, source: "person" })),
      ...said.flatMap((item) => item.images).map(imageBlock),
    );
    return {
      id: host.newId(),
      role: "user",
      blocks,
      createdAt: host.clock.now().toISOString(),
      ...(said.length === 0 ? {} : { display: said.map((item) => item.text).join("\n\n") }),
    };
  }

  async #options(said: readonly Said[], signal: AbortSignal): Promise<TurnOptions> {
    const { rules, room } = this.#deps;
    if (said.length > 0) await rules.check(signal);
    // They take room from what is mentioned; otherwise they can wait until the message is shown.
    if (said.some(({ text }) => findMentions(text).length > 0)) await rules.prepare(signal);
    return { ...this.#deps, signal, ...(await room(signal)) };
  }
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
