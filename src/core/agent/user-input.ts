/** What the user says, as a message of the conversation: the first one begins a session. */
import { modelOf } from "../../shared/model.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { Said, UserTurns } from "../loop/turn.ts";
import type { Host } from "../ports/host.ts";
import type { OpenCalls } from "./open-calls.ts";

const titleLength = 80;

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

  /** Answers the call that waits for words, or is a message of its own. */
  async submit(said: Said, signal: AbortSignal): Promise<void> {
    const { host, conversation, open, settings, turns } = this.#deps;
    const first = conversation.messages.length === 0;
    if (!conversation.begun)
      conversation.announce(titleOf(said.text), modelOf(settings().provider, conversation.mode));
    if (await open.answerWith(said, turns, signal)) return;
    await conversation.append(await turns.message({ said: [said] }, signal));
    if (host.workspace.root === undefined && first)
      conversation.emit({ type: "notice", id: host.newId(), code: "no-workspace" });
  }
}

/** A session's title is the first line of what was said first. */
export function titleOf(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, titleLength) ?? "";
}
