import { WHITE_SPACE_LIMIT } from "../chars.ts";
import type { AssistantEvent } from "../events.ts";
import type { WholeCall } from "./whole-call.ts";

const NOT_SPACE = /[^ \t\r\n]/;

/**
 * Gathers the events of one chunk: neighbouring deltas become one, white space alone between two blocks is left
 * out, and reasoning blocks that follow each other are parted by a blank line.
 */
export class EventSink {
  private events: AssistantEvent[] = [];
  private calls = 0;
  private lastBlock: AssistantEvent["type"] | "" = "";
  /** White space at the front of a text whose first other character has not come yet. */
  private space = "";
  private inText = false;
  private inReasoning = false;

  /** The events since the last call. */
  take(): AssistantEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  text(delta: string): void {
    if (delta === "") return;
    if (!this.inText) {
      this.space += delta;
      if (!NOT_SPACE.test(delta) && this.space.length <= WHITE_SPACE_LIMIT) return;
      delta = this.space;
      this.space = "";
      this.inText = true;
      this.lastBlock = "text";
    }
    const last = this.events.at(-1);
    if (last?.type === "text") last.delta += delta;
    else this.events.push({ type: "text", delta });
  }

  /** Ends the text, if one is open. */
  endText(): void {
    this.space = "";
    this.inText = false;
  }

  reasoning(delta: string): void {
    if (delta === "") return;
    const parted = !this.inReasoning && this.lastBlock === "reasoning";
    this.inReasoning = true;
    this.lastBlock = "reasoning";
    this.events.push({ type: "reasoning", delta: parted ? `\n\n${delta}` : delta });
  }

  endReasoning(): void {
    this.inReasoning = false;
  }

  toolStart(name: string): void {
    this.lastBlock = "tool-start";
    this.events.push({ type: "tool-start", index: this.calls, name });
  }

  param(name: string, delta: string): void {
    const last = this.events.at(-1);
    if (last?.type === "param" && last.name === name && last.index === this.calls) last.delta += delta;
    else this.events.push({ type: "param", index: this.calls, name, delta });
  }

  toolEnd(partial: boolean, fault?: string): void {
    const told = fault === undefined ? {} : { fault };
    this.events.push({ type: "tool-end", index: this.calls, partial, ...told });
    this.calls++;
  }

  /** A call that was read as a whole. */
  whole({ name, params }: WholeCall): void {
    this.endText();
    this.toolStart(name);
    for (const [param, value] of params) this.param(param, value);
    this.toolEnd(false);
  }
}
