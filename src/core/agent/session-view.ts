/** A session's view for hosts: folded from its events, with pages of earlier messages. */
import type { TaskEvent } from "../../shared/event.ts";
import { applyEvent, type ChatView, emptyView } from "../../shared/view/reducer.ts";
import { giveWay } from "../async.ts";
import type { Transcript, TranscriptStart } from "../loop/transcript.ts";
import type { Clock } from "../ports/system.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import { messageOfRow, pageBefore } from "./earlier.ts";

export interface SessionViewDeps {
  transcript: Transcript;
  registry: ToolSet;
  clock: Clock;
}

export class SessionView {
  readonly #deps: SessionViewDeps;
  #view: ChatView;
  /** Id of the first message in the view. */
  #shownFrom: string | undefined;

  constructor(deps: SessionViewDeps, { mode, agent }: Pick<TranscriptStart, "mode" | "agent">) {
    this.#deps = deps;
    this.#view = { ...emptyView, mode, ...(agent ? { agent: agent.name } : {}) };
  }

  get current(): ChatView {
    return this.#view;
  }

  fold(event: TaskEvent): void {
    this.#view = applyEvent(this.#view, event);
  }

  /** Shows the newest page of a loaded session. */
  showNewest(): void {
    this.#showPage(this.#deps.transcript.messages.length);
  }

  /** Corrects the number of earlier messages after all have been loaded, because it included unreadable ones. */
  recount(): void {
    const { transcript } = this.#deps;
    const count = transcript.messages.findIndex((message) => message.id === this.#shownFrom);
    if (count >= 0 && count !== this.#view.earlier)
      transcript.emit({ type: "earlier", messages: [], subjects: {}, left: count });
    else if (count < 0) this.showNewest();
  }

  /** Shows earlier messages: one page, all pages up to the row `until`, or all. */
  async showEarlier({ until, all = false }: { until?: string; all?: boolean } = {}): Promise<void> {
    const { transcript, clock } = this.#deps;
    const index = until === undefined ? this.#view.earlier - 1 : messageOfRow(transcript.messages, until);
    const target = all ? 0 : index;
    if (target < 0) return;
    while (!transcript.closed && this.#view.earlier > target) {
      this.#showPage(this.#view.earlier);
      if (this.#view.earlier > target) await giveWay(clock);
    }
  }

  /** Shows the page of messages before `end`, skipping pages without rows. */
  #showPage(end: number): void {
    const { transcript, registry } = this.#deps;
    const rows = () => this.#view.settled.length + this.#view.live.length;
    const before = rows();
    for (let from = end; from > 0 && rows() === before; ) {
      const page = pageBefore(transcript.messages, from, registry);
      from = page.left;
      this.#shownFrom = page.messages[0]?.id;
      transcript.emit({ ...page, left: page.left + transcript.unloadedCount });
    }
  }
}
