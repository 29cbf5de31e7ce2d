/** What the person says, as a message of the conversation: the first one begins a session. */
import { findMentions } from "../../shared/mentions.ts";
import { modelOf } from "../../shared/model.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Conversation } from "../loop/conversation.ts";
import type { Judge } from "../loop/permission.ts";
import type { Task } from "../loop/task.ts";
import { type Said, saidText, type TurnOptions, type TurnParts, userMessage } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { OpenCalls } from "./open-calls.ts";

const titleLength = 80;

export interface SpeakingParts {
  host: Host;
  settings(): Settings;
  conversation: Conversation;
  judge: Judge;
  open: OpenCalls;
}

export class Speaking {
  readonly #parts: SpeakingParts;

  constructor(parts: SpeakingParts) {
    this.#parts = parts;
  }

  /** Answers the call that waits for words, or is a message of its own. */
  async say(said: Said, task: Task, signal: AbortSignal): Promise<void> {
    const { host, conversation, open, settings } = this.#parts;
    const { sessionId, messages } = conversation;
    if (sessionId === undefined)
      conversation.begin(titleOf(said.text), modelOf(settings().provider, conversation.mode));
    const first = messages.length === 0;
    await task.rules.check(signal);
    // They take room from what is mentioned; otherwise they can wait until the message is on show.
    if (findMentions(said.text).length > 0) await task.rules.prepare(signal);
    const options = await this.#options(task, signal);
    if (await open.answerWith(said, options)) return;
    const wrap = first ? replies.task : replies.userMessage;
    const texts = async (options: TurnOptions) => [await saidText(said, wrap, options)];
    const { enteredAct } = task;
    task.enteredAct = false;
    const { images, text: display } = said;
    await this.append({ texts, images, display, first, enteredAct }, task, signal);
    if (host.workspace.root === undefined && first) {
      conversation.emit({ type: "notice", id: host.newId(), code: "no-workspace" });
    }
  }

  async append(parts: TurnParts, task: Task, signal: AbortSignal): Promise<void> {
    const told = { ...parts, news: task.rules.takeNews() };
    await this.#parts.conversation.append(await userMessage(told, await this.#options(task, signal)));
  }

  async #options(task: Task, signal: AbortSignal): Promise<TurnOptions> {
    return { ...this.#parts, context: task.context, signal, ...(await task.room(signal)) };
  }
}

/** A session's title is the first line of what was said first. */
export function titleOf(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, titleLength) ?? "";
}
