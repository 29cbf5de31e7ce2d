/** Adds the user's input to the conversation; the first message begins a session. */
import type { Settings } from "../../shared/settings.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { UserContent, UserTurns } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import type { OpenCalls } from "./open-calls.ts";

const TITLE_LENGTH = 80;

export interface UserInputDeps {
  host: Host;
  settings(): Settings;
  conversation: Transcript;
  open: OpenCalls;
  turns: UserTurns;
}

export class UserInput {
  readonly #deps: UserInputDeps;

  constructor(deps: UserInputDeps) {
    this.#deps = deps;
  }

  /** Answers the call that awaits a user message, or appends a new message. */
  async submit(input: UserContent, signal: AbortSignal): Promise<void> {
    const { host, conversation, open, settings, turns } = this.#deps;
    const first = conversation.messages.length === 0;
    if (!conversation.isStored)
      conversation.describe(titleOf(input.text), conversation.modelChoice(settings()).model);
    if (await open.answerWith(input, turns, signal)) return;
    await turns.append({ inputs: [input] }, signal);
    if (host.workspace.root === undefined && first)
      conversation.emit({ type: "notice", id: host.newId(), code: "no-workspace" });
  }
}

/** A session's title: the first line of its first message. */
export function titleOf(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, TITLE_LENGTH) ?? "";
}
