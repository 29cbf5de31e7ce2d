import { setTimeout as delay } from "node:timers/promises";
import { type Delta, type Frame, foldFrames } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { AnswerFault } from "./faults.ts";
import type { Holds } from "./holds.ts";
import type { Usage } from "./usage.ts";

/** Everything that playing one answer needs. */
export interface Playback {
  id: string;
  model: string;
  frames: readonly Frame[];
  finishReason: string;
  usage: Usage | undefined;
  /** Whether the client asked for the usage at the end of the stream. */
  includeUsage: boolean;
  fault: AnswerFault | undefined;
  /** Milliseconds before each delta. */
  pace: number;
  keepAlive: string | undefined;
  holds: Holds;
}

const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/**
 * Streams an answer as server-sent events, with the fault, if any, at its position. Rejects when the client has
 * disconnected.
 */
export async function playStream(playback: Playback, exchange: Exchange): Promise<void> {
  const { frames, fault, holds, pace, keepAlive } = playback;
  exchange.head(200, STREAM_HEADERS);
  if (fault?.kind === "stall" && fault.where === "headers") return exchange.untilClosed();
  if (fault?.kind === "empty" && !fault.choices) {
    await exchange.write("data: [DONE]\n\n");
    return exchange.end();
  }
  await exchange.write(deltaEvent(playback, { role: "assistant", content: "" }));
  let breakAt = faultPosition(fault, frames);
  let sent = 0;
  for (const [index, frame] of frames.entries()) {
    if (frame.kind === "hold") await holds.arrive(frame.name, exchange.signal);
    else if (frame.kind === "wait") await delay(frame.ms, undefined, { signal: exchange.signal });
    else {
      if (sent >= breakAt && fault !== undefined) {
        if ((await breakStream(fault, playback, index, exchange)) === "over") return;
        breakAt = Number.POSITIVE_INFINITY;
      }
      if (pace > 0) await delay(pace, undefined, { signal: exchange.signal });
      if (keepAlive !== undefined) await exchange.write(`: ${keepAlive}\n\n`);
      await exchange.write(deltaEvent(playback, frame.delta));
      sent += frame.size;
    }
  }
  if (breakAt < Number.POSITIVE_INFINITY && fault !== undefined) {
    if ((await breakStream(fault, playback, frames.length, exchange)) === "over") return;
  }
  await finish(playback, exchange);
}

async function finish(playback: Playback, exchange: Exchange): Promise<void> {
  const { fault, usage } = playback;
  if (fault?.kind !== "noDone" || fault.finish) {
    await exchange.write(
      event(playback, [{ index: 0, delta: {}, logprobs: null, finish_reason: playback.finishReason }]),
    );
    if (playback.includeUsage && usage !== undefined) {
      await exchange.write(`data: ${JSON.stringify({ ...envelope(playback), choices: [], usage })}\n\n`);
    }
  }
  if (fault?.kind !== "noDone") await exchange.write("data: [DONE]\n\n");
  exchange.end();
}

/** The number of characters after which the fault happens; infinite for faults without a position. */
function faultPosition(fault: AnswerFault | undefined, frames: readonly Frame[]): number {
  if (fault === undefined || fault.kind === "empty" || fault.kind === "noDone")
    return Number.POSITIVE_INFINITY;
  if (fault.after !== undefined) return fault.after;
  const total = frames.reduce((sum, frame) => sum + (frame.kind === "delta" ? frame.size : 0), 0);
  return Math.floor(total / 2);
}

async function breakStream(
  fault: AnswerFault,
  playback: Playback,
  index: number,
  exchange: Exchange,
): Promise<"over" | "goes on"> {
  switch (fault.kind) {
    case "cut":
      await exchange.cut(halfACharacter(playback, index));
      return "over";
    case "stall":
      await exchange.untilClosed();
      return "over";
    case "streamError":
      await exchange.write(`data: ${JSON.stringify({ error: fault.error })}\n\n`);
      exchange.end();
      return "over";
    case "malformed":
      await exchange.write(`${fault.line}\n\n`);
      return "goes on";
    default:
      return "goes on";
  }
}

/** The events from a frame on, up to and including the first byte of the next multi-byte character. */
function halfACharacter(playback: Playback, index: number): Uint8Array {
  const rest = playback.frames.slice(index).flatMap((frame) => (frame.kind === "delta" ? [frame.delta] : []));
  // An ASCII answer gets a multi-byte character to split.
  const text = [...rest, { content: "猫" }].map((delta) => deltaEvent(playback, delta)).join("");
  const bytes = Buffer.from(text, "utf8");
  return bytes.subarray(0, bytes.findIndex((byte) => byte >= 0xc0) + 1);
}

/** Sends an answer as one JSON body, with pauses and faults. Rejects when the client has disconnected. */
export async function playWhole(playback: Playback, exchange: Exchange): Promise<void> {
  const { frames, fault, holds } = playback;
  for (const frame of frames) {
    if (frame.kind === "hold") await holds.arrive(frame.name, exchange.signal);
    else if (frame.kind === "wait") await delay(frame.ms, undefined, { signal: exchange.signal });
  }
  const text = JSON.stringify(completion(playback));
  switch (fault?.kind) {
    case "cut": {
      exchange.head(200, { "content-type": "application/json" });
      const bytes = Buffer.from(text, "utf8");
      const wide = bytes.findIndex((byte) => byte >= 0xc0);
      return exchange.cut(bytes.subarray(0, wide < 0 ? bytes.length >> 1 : wide + 1));
    }
    case "stall":
      exchange.head(200, { "content-type": "application/json" });
      return exchange.untilClosed();
    case "malformed":
      return exchange.reply(200, { "content-type": "application/json" }, text.slice(0, text.length >> 1));
    case "streamError":
      return exchange.json(200, { error: fault.error });
    default:
      return exchange.reply(200, { "content-type": "application/json" }, text);
  }
}

function completion(playback: Playback): Record<string, unknown> {
  const answer = foldFrames(playback.frames);
  const message = {
    role: "assistant",
    content: answer.content === "" ? null : answer.content,
    refusal: null,
    ...(answer.reasoning === "" ? {} : { [answer.reasoningField]: answer.reasoning }),
    ...(answer.toolCalls.length === 0 ? {} : { tool_calls: answer.toolCalls }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: playback.finishReason };
  const choices = playback.fault?.kind === "empty" && !playback.fault.choices ? [] : [choice];
  const { usage } = playback;
  return {
    ...envelope(playback),
    object: "chat.completion",
    choices,
    ...(usage === undefined ? {} : { usage }),
  };
}

function envelope(playback: Playback): Record<string, unknown> {
  const created = Math.floor(Date.now() / 1000);
  return { id: playback.id, object: "chat.completion.chunk", created, model: playback.model };
}

function deltaEvent(playback: Playback, delta: Delta): string {
  return event(playback, [{ index: 0, delta, logprobs: null, finish_reason: null }]);
}

function event(playback: Playback, choices: unknown[]): string {
  const usage = playback.includeUsage ? { usage: null } : {};
  return `data: ${JSON.stringify({ ...envelope(playback), choices, ...usage })}\n\n`;
}
