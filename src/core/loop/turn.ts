/** Builds the user messages of a task from the user's input and what the product adds. */
import { findMentions } from "../../shared/mentions.ts";
import type { Block, ImageBlock, Message } from "../../shared/message.ts";
import { DEFAULT_CONNECTION, modelName } from "../../shared/models/connection.ts";
import type { Settings } from "../../shared/settings.ts";
import { type BuiltInCommand, isBuiltInCommand } from "../../shared/words/command-words.ts";
import { branchChanges } from "../context/branch-changes.ts";
import { detailsText, type EnvironmentDetails, environmentDetails, hasNews } from "../context/environment.ts";
import { expandMentions, type MentionProblem } from "../context/expand-mentions.ts";
import { todoReminder } from "../context/focus-chain.ts";
import type { SuppliedPrompt } from "../context/server-prompts.ts";
import { commandIn } from "../context/slash-commands.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import { isRecipientsOwn } from "../provider/ownership.ts";
import type { Protocol } from "../provider/provider.ts";
import type { ToolContext } from "../tools/tool.ts";
import { blockTokens, windowState } from "../window/request-messages.ts";
import type { Approvals, ApprovedCommand } from "./calls/approvals.ts";
import type { Judge } from "./calls/permission.ts";
import { requireInputs } from "./command-inputs.ts";
import { resourcesOf, withPrompt } from "./from-servers.ts";
import type { TaskMemory } from "./task-memory.ts";
import type { TaskRules } from "./task-rules.ts";
import { definitionText } from "./task-skills.ts";
import type { Transcript } from "./transcript.ts";

/** Share of the context window that the contents of a message's mentions may fill. */
const WINDOW_SHARE = 0.4;
/** Share that they may fill of the tokens that remain after the instructions and the message's text. */
const FREE_SHARE = 0.7;
/** Characters of a branch's changes. */
const BRANCH_LENGTH = 48_000;
/** Estimated tokens of the markup around a message's text and around a mention's content. */
const MARKUP_TOKENS = 100;

export interface UserContent {
  text: string;
  /** Of the session, if the message is its first one. Default: the beginning of the text. */
  title?: string;
  /** What the user typed, if it differs: the models that the message is for are not part of the text. */
  shown?: string;
  images: readonly { mimeType: string; data: string }[];
  /**
   * The model wrote the text and the user accepted it, such as the context of a new task. Only its file mentions are
   * expanded, and only if reading needs no approval. as-is: nothing in it is.
   */
  byModel?: boolean | "as-is";
  /** What a server supplied for the prompt that the text contains. */
  supplied?: SuppliedPrompt;
  /** Commands that the user approves with this message, which asks for them after its text. */
  approved?: readonly ApprovedCommand[];
}

/** Messages that the user sent while the agent worked. */
export interface PendingInput<Item extends UserContent = UserContent> {
  take(): readonly Item[];
  /** Puts back items that did not become a message. */
  putBack(items: readonly Item[]): void;
}

/** A user's message as the model receives it. */
export interface MessageContent {
  text: string;
  /** Images of the resources and prompts that it names. */
  images: Block[];
}

/** Limits from the context window of the model that receives the next request. */
export interface MessageLimits {
  contextWindow: number;
  /** Estimated tokens that one message may have. */
  maxMessageTokens: number;
}

interface TurnOptions extends MessageLimits {
  host: Host;
  settings(): Settings;
  conversation: Transcript;
  context: ToolContext;
  judge: Judge;
  signal: AbortSignal;
}

/**
 * A slash command's instructions, the text in the tag that `wrap` adds, and the contents of its mentions. What a server
 * supplied is not searched for mentions and commands.
 */
async function messageContent(
  input: UserContent,
  wrap: (text: string) => string,
  options: TurnOptions,
): Promise<MessageContent> {
  const isLiteral = input.byModel === "as-is" || (input.byModel && !options.settings().approval.read);
  if (isLiteral) return { text: wrap(input.text), images: [] };
  const { supplied, approved = [] } = input;
  const commands = approved.map(replies.runApproved);
  const inputTokens = blocksTokens([
    { type: "text", text: [input.text, supplied?.text ?? "", ...commands].join("") },
    ...[...input.images, ...(supplied?.images ?? [])].map(imageBlock),
  ]);
  const { host, signal, context, judge, contextWindow, maxMessageTokens } = options;
  // Slash commands and other mentions in the model's text could give it more than it may read without approval.
  const command = input.byModel || supplied ? undefined : await slashCommand(input.text, options);
  const material = await branchMaterial(command, options);
  const resources = input.byModel ? undefined : await resourcesOf(input.text, options, signal);
  const free = Math.max(0, maxMessageTokens - inputTokens - estimateTokens(material) - MARKUP_TOKENS);
  const { text, attachments, images, problems } = await expandMentions(command?.rest ?? input.text, {
    host,
    signal,
    maxTokens: Math.min(contextWindow * WINDOW_SHARE, free * FREE_SHARE),
    filesOnly: Boolean(input.byModel),
    pages: context.pages,
    seesImages: () => context.seesImages(),
    ...(resources ? { resources } : {}),
    refused: (path) => judge.refusal(path),
    onRead: (path, version) => context.seen.set(path, version),
  });
  reportProblems(problems, options);
  const instructions = command?.instructions ?? supplied?.text;
  return {
    text: [
      ...(instructions === undefined ? [] : [instructions]),
      wrap([text, ...commands].join("\n\n")),
      ...(material === "" ? [] : [material]),
      ...attachments,
    ].join("\n\n"),
    images: [...(supplied?.images ?? []), ...images].map((image) => ({
      ...imageBlock(image),
      supplied: true,
    })),
  };
}

/** Notifies the user, below the message, of mentions that are not fully included. */
function reportProblems(
  problems: readonly MentionProblem[],
  { host, conversation, signal }: TurnOptions,
): void {
  if (problems.length === 0) return;
  const listening = conversation.onAppended(() => {
    listening.dispose();
    for (const kind of ["failed", "cut", "lossy"] as const) {
      const ofKind = problems.filter((problem) => problem.kind === kind);
      if (ofKind.length === 0) continue;
      const mentions = ofKind.map(({ mention }) => mention).join(", ");
      const values = kind === "failed" ? ofKind.flatMap(({ mention, why }) => [mention, ...why]) : [mentions];
      conversation.emit({ type: "notice", id: host.newId(), code: `mention-${kind}`, values });
    }
  });
  signal.addEventListener("abort", () => listening.dispose(), { once: true });
}

/** A slash command that has instructions. */
interface InstructedCommand {
  instructions: string;
  /** The text without the command. */
  rest: string;
  /** The text that follows it. */
  after: string;
  /** The command that is built in; absent: the instructions are those of a file. */
  builtIn?: BuiltInCommand;
}

/** What `/pr` is about; "" for other commands. */
async function branchMaterial(
  command: InstructedCommand | undefined,
  { host, judge, signal, contextWindow, maxMessageTokens }: TurnOptions,
): Promise<string> {
  if (command?.builtIn !== "pr") return "";
  // A character has at most about one token.
  const room = Math.floor(Math.min(contextWindow * WINDOW_SHARE, maxMessageTokens * FREE_SHARE));
  const named = /^[ \t]*(\S+)/.exec(command.after)?.[1];
  const reader = { host, unreadable: (path: string) => judge.unreadable(path) };
  return branchChanges(reader, { named, room: Math.min(room, BRANCH_LENGTH), signal });
}

/** The instructions of the first slash command in a text, and the text without the command. */
async function slashCommand(
  text: string,
  { host, settings, conversation, signal }: TurnOptions,
): Promise<InstructedCommand | undefined> {
  const found = await commandIn(text, host, settings().context, signal);
  if (!found) return undefined;
  const { name, rest, after, definition } = found;
  const { commandInstructions, explicitInstructions } = await import("../prompts/slash-prompts.ts");
  if (definition) {
    const use = { typed: after, sessionId: conversation.id };
    return {
      instructions: explicitInstructions(name, await definitionText(host, definition, use)),
      rest,
      after,
    };
  }
  if (!isBuiltInCommand(name)) return undefined;
  const instructions = commandInstructions(name, {
    shell: host.shell.kind,
    hostName: host.surroundings.hostName,
    os: host.system.os,
    model: conversation.modelChoice(settings()).model,
    mode: conversation.mode,
  });
  return { instructions: explicitInstructions(name, instructions), rest, after, builtIn: name };
}

const imageBlock = (image: UserContent["images"][number]): ImageBlock => ({ type: "image", ...image });

function blocksTokens(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + blockTokens(block), 0);
}

/** The content of a user message besides the environment details. */
export interface TurnContent {
  inputs?: readonly UserContent[];
  /** Texts that the product adds for the model, before the inputs. */
  texts?: readonly string[];
}

export interface UserTurnsDeps {
  host: Host;
  settings(): Settings;
  conversation: Transcript;
  judge: Judge;
  approvals: Pick<Approvals, "approveCommand">;
  context: ToolContext;
  rules: TaskRules;
  memory: Pick<TaskMemory, "opening" | "notify">;
  requests: { readonly protocol: Protocol; messageLimits(signal: AbortSignal): Promise<MessageLimits> };
  /** Nobody reads a plan before it is carried out. */
  unattended?: boolean;
}

/** Builds the user messages of a task, and the user's answers to calls. */
export class UserTurns {
  readonly #deps: UserTurnsDeps;
  /** The environment details that the model received last, and the message that has them. */
  #lastSentEnvironment: { messageId: string; details: EnvironmentDetails } | undefined;

  constructor(deps: UserTurnsDeps) {
    this.#deps = deps;
  }

  /**
   * The message with what the server of its prompt supplies. Rejects with PromptFailure, also if its command needs an input that it
   * lacks, or with Interrupt.
   */
  async accept(input: UserContent, signal: AbortSignal): Promise<UserContent> {
    const { host, settings } = this.#deps;
    if (!input.byModel) await requireInputs(input.text, host, settings().context, signal);
    return withPrompt(input, this.#deps, signal);
  }

  /** The user's answer to a call, as its result. */
  async answer(
    input: UserContent,
    wrap: (text: string) => string,
    signal: AbortSignal,
  ): Promise<MessageContent> {
    const content = await messageContent(input, wrap, await this.#options([input], signal));
    this.#approve([input]);
    return content;
  }

  /** What a message approves counts from when the model can read the message. */
  #approve(inputs: readonly UserContent[]): void {
    for (const approved of inputs.flatMap((input) => input.approved ?? []))
      this.#deps.approvals.approveCommand(approved);
  }

  /**
   * Appends a user message: the user's text, the todo reminder and the environment details. After results under native calling,
   * details that have not changed are left out, and so is a message that would be empty.
   */
  async append({ inputs = [], texts = [] }: TurnContent, signal: AbortSignal): Promise<void> {
    const { host, conversation, settings, memory, rules, requests } = this.#deps;
    const id = host.newId();
    const options = await this.#options(inputs, signal);
    const first = conversation.messages.length === 0;
    // The rules and the environment both list the files of the workspace, so they are read at the same time.
    if (first) rules.start(signal);
    const blocks: Block[] = [];
    const update = rules.takeUpdate();
    // Not marked as context, which later requests may omit: the rules apply for the rest of the task.
    if (update) blocks.push(...update.blocks);
    if (first) blocks.push(...(await memory.opening(options.contextWindow)));
    const reminder = todoReminder({
      markdown: conversation.todo,
      requests: conversation.messages.filter((message) => message.role === "assistant").length,
      remindedAt: answersBeforeReminder(conversation.messages),
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
      models: otherModels(conversation, settings()),
      maxFiles: settings().context.maxFiles,
      contextWindow: options.contextWindow,
      signal,
    });
    const before = this.#environmentBefore();
    // Under the XML protocol, a result is a user message like any other, and every user message has the details.
    const isSent =
      inputs.length > 0 || requests.protocol === "xml" || before === undefined || hasNews(before, details);
    if (isSent && this.#asksForDocument())
      blocks.push({ type: "text", text: replies.PLAN_DOCUMENT, source: "context" });
    if (isSent) blocks.push({ type: "text", text: detailsText(details), source: "context" });
    // Several inputs share the space equally.
    const maxMessageTokens = (options.maxMessageTokens - blocksTokens(blocks)) / Math.max(1, inputs.length);
    const wrap = first ? replies.task : replies.userMessage;
    const contents = await Promise.all(
      inputs.map((input) => messageContent(input, wrap, { ...options, maxMessageTokens })),
    );
    // After the mentions, because their files have folders, too.
    const visited = await rules.visit({ isOfUser: inputs.length > 0, before: update?.block }, signal);
    // They come after the changes, because the last record counts.
    if (visited.length > 0) blocks.push(...visited);
    blocks.unshift(
      ...[...texts, ...contents.map(({ text }) => text)].map(
        (text): Block => ({ type: "text", text, source: "person" }),
      ),
      ...inputs.flatMap((input) => input.images).map(imageBlock),
      ...contents.flatMap(({ images }) => images),
    );
    if (blocks.length === 0) return;
    await conversation.append({
      id,
      role: "user",
      blocks,
      createdAt: host.clock.now().toISOString(),
      ...(inputs.length === 0
        ? {}
        : { display: inputs.map(({ shown, text }) => shown ?? text).join("\n\n") }),
    });
    memory.notify();
    this.#approve(inputs);
    if (isSent) this.#lastSentEnvironment = { messageId: id, details };
  }

  /** Whether the model has to read how a plan becomes a document, because requests do not contain that yet. */
  #asksForDocument(): boolean {
    const { conversation, unattended = false } = this.#deps;
    if (conversation.mode !== "plan" || conversation.isSubtask || unattended) return false;
    const { messages } = conversation;
    const { detailsUpTo, leftOutUpTo } = windowState(messages);
    const omitted = Math.max(detailsUpTo, leftOutUpTo);
    return !messages.some(
      ({ role, blocks }, index) =>
        (index === 0 || index > omitted) &&
        role === "user" &&
        blocks.some((block) => block.type === "text" && block.text === replies.PLAN_DOCUMENT),
    );
  }

  /** The environment details that the model received last; undefined: none yet, or the user went back to an earlier message. */
  #environmentBefore(): EnvironmentDetails | undefined {
    const sent = this.#lastSentEnvironment;
    const { messages } = this.#deps.conversation;
    return sent && messages.some(({ id }) => id === sent.messageId) ? sent.details : undefined;
  }

  async #options(inputs: readonly UserContent[], signal: AbortSignal): Promise<TurnOptions> {
    const { rules, requests } = this.#deps;
    if (inputs.length > 0) await rules.check(signal);
    // The space for mentions depends on the rules. Without mentions, the rules are read later, so that the message
    // appears sooner.
    if (inputs.some(({ text }) => findMentions(text).length > 0)) await rules.prepare(signal);
    return { ...this.#deps, signal, ...(await requests.messageLimits(signal)) };
  }
}

/** The models of earlier answers, if another one wrote the last answer than the one that writes the next. */
function otherModels(
  conversation: Pick<Transcript, "messages" | "modelChoice">,
  settings: Settings,
): { before: string[]; now: string } | undefined {
  const choice = conversation.modelChoice(settings);
  const last = conversation.messages.findLast(
    ({ role, model }) => role === "assistant" && model !== undefined,
  );
  if (!last || isRecipientsOwn(last, choice)) return undefined;
  const names = conversation.messages.flatMap(({ model, connection: name = DEFAULT_CONNECTION }) =>
    model === undefined ? [] : [modelName({ connection: { name }, model })],
  );
  const now = modelName(choice);
  return { before: [...new Set(names)].filter((name) => name !== now), now };
}

/** The number of answers before the last todo reminder; 0 if there was none. */
function answersBeforeReminder(messages: readonly Message[]): number {
  const at = messages.findLastIndex(
    ({ role, blocks }) =>
      role === "user" && blocks.some((block) => block.type === "text" && isReminder(block)),
  );
  return messages.slice(0, at + 1).filter((message) => message.role === "assistant").length;
}

function isReminder({ text, source }: Extract<Block, { type: "text" }>): boolean {
  return source === "context" && text.startsWith("# TODO LIST");
}
