/** What the user should know about the active session while its panel is not visible. Derived from its events alone. */

import type { TaskEvent } from "../../shared/event.ts";
import { presentationOf } from "../../shared/tool-presentation.ts";
import { unreachable } from "../../shared/unreachable.ts";
import { pendingCall } from "../../shared/view/chat-view.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import { endOf, type TurnOutcome } from "../../shared/view/turn-end.ts";
import { callPhrase, type Translate } from "../../shared/words/task-words.ts";

/**
 * approval: a call, or a question of a server, waits. Otherwise: how the turn ended while the panel was not visible, or that it
 * asked a question.
 */
export type AttentionReason = "approval" | TurnOutcome;

export interface AttentionState {
  working: boolean;
  waiting: AttentionReason | undefined;
}

export class WaitingState {
  readonly #view: () => ChatView;
  #ended: AttentionReason | undefined;
  #worked = false;

  constructor(view: () => ChatView) {
    this.#view = view;
  }

  /** Called for each event of the active session, after the view has folded it. */
  fold(event: TaskEvent, isVisible: boolean): void {
    if (event.type === "session") this.#worked = false;
    if (event.type === "session" || (event.type === "status" && event.status !== "idle"))
      this.#ended = undefined;
    if (event.type !== "status") return;
    if (event.status === "idle" && this.#worked) {
      const end = endOf(this.#view());
      // The user sees the end of a turn, but may leave the panel without answering a question.
      this.#ended = isVisible && end !== "question" ? undefined : end;
    }
    this.#worked = event.status !== "idle";
  }

  /** A session that was already open becomes active. `asks`: its last turn ended with a question that is not answered. */
  switched(asks: boolean): void {
    this.#worked = this.#view().status !== "idle";
    this.#ended = asks ? "question" : undefined;
  }

  /** The user sees the panel. */
  seen(): void {
    if (this.#ended !== "question") this.#ended = undefined;
  }

  get state(): AttentionState {
    const { status } = this.#view();
    return { working: status !== "idle", waiting: status === "approval" ? "approval" : this.#ended };
  }
}

/** The state in one sentence; undefined: there is nothing to say. */
export function attentionText(
  t: Translate,
  view: ChatView,
  { working, waiting }: AttentionState,
): string | undefined {
  switch (waiting) {
    case "approval": {
      const call = pendingCall(view);
      if (!call) return t("Nekode is waiting for your answer");
      return t(
        "Nekode is waiting for your approval: {0}",
        callPhrase(t, presentationOf(view.faces, call.tool), call),
      );
    }
    case "question":
      return t("Nekode has a question for you");
    case "done":
      return t("Nekode is done");
    case "failed":
      return t("Nekode cannot continue");
    case undefined:
      return working ? t("Nekode is working") : undefined;
    default:
      return unreachable(waiting);
  }
}
