import { setTimeout as delay } from "node:timers/promises";
import type { Frame } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { AnswerFault } from "./faults.ts";
import type { Holds } from "./holds.ts";
import type { AnswerWriter } from "./played-api.ts";

/** Everything that playing one answer needs. */
export interface Playback {
  frames: readonly Frame[];
  writer: AnswerWriter;
  fault: AnswerFault | undefined;
  /** Milliseconds before each delta. */
  pace: number;
  keepAlive: string | undefined;
  holds: Holds;
}

/** An empty comment. */
const PING = ":\n\n";

const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/**
 * Streams an answer as server-sent events, with the fault, if any, at its position. Rejects when the client has
 * disconnected.
 */
export async function playStream(playback: Playback, exchange: Exchange): Promise<void> {
  const { frames, writer, fault, holds, pace, keepAlive } = playback;
  exchange.head(200, STREAM_HEADERS);
  if (fault?.kind === "stall" && fault.where === "headers") return exchange.untilClosed();
  if (fault?.kind === "empty" && !fault.choices) {
    await exchange.write(writer.nothing());
    return exchange.end();
  }
  let isStarted = false;
  const start = async () => {
    if (!isStarted) await exchange.write(writer.start());
    isStarted = true;
  };
  if (!writer.startsLate) await start();
  let breakAt = faultPosition(fault, frames);
  let sent = 0;
  for (const [index, frame] of frames.entries()) {
    if (frame.kind === "ping") await exchange.write(PING.repeat(frame.count));
    else if (frame.kind !== "delta") await pause(frame, holds, exchange);
    else {
      await start();
      if (sent >= breakAt && fault !== undefined) {
        if ((await breakStream(fault, playback, index, exchange)) === "over") return;
        breakAt = Number.POSITIVE_INFINITY;
      }
      if (pace > 0) await delay(pace, undefined, { signal: exchange.signal });
      if (keepAlive !== undefined) await exchange.write(`: ${keepAlive}\n\n`);
      await exchange.write(writer.delta(frame.delta));
      sent += frame.delta.text.length;
    }
  }
  await start();
  if (breakAt < Number.POSITIVE_INFINITY && fault !== undefined) {
    if ((await breakStream(fault, playback, frames.length, exchange)) === "over") return;
  }
  await exchange.write(writer.end(fault));
  exchange.end();
}

/** Rejects when the client has disconnected. */
async function pause(
  frame: Extract<Frame, { kind: "hold" | "wait" }>,
  holds: Holds,
  { signal }: Exchange,
): Promise<void> {
  if (frame.kind === "hold") await holds.arrive(frame.name, signal);
  else await delay(frame.ms, undefined, { signal });
}

/** The number of characters after which the fault happens; infinite for faults without a position. */
function faultPosition(fault: AnswerFault | undefined, frames: readonly Frame[]): number {
  if (fault === undefined || fault.kind === "empty" || fault.kind === "noDone")
    return Number.POSITIVE_INFINITY;
  if (fault.after !== undefined) return fault.after;
  const total = frames.reduce(
    (sum, frame) => sum + (frame.kind === "delta" ? frame.delta.text.length : 0),
    0,
  );
  return Math.floor(total / 2);
}

async function breakStream(
  fault: AnswerFault,
  { frames, writer }: Playback,
  index: number,
  exchange: Exchange,
): Promise<"over" | "goes on"> {
  switch (fault.kind) {
    case "cut":
      await exchange.cut(halfACharacter(writer, frames.slice(index)));
      return "over";
    case "stall":
      await exchange.untilClosed();
      return "over";
    case "streamError":
      await exchange.write(writer.error(fault.error));
      exchange.end();
      return "over";
    case "malformed":
      await exchange.write(`${fault.line}\n\n`);
      return "goes on";
    default:
      return "goes on";
  }
}

/** The events of the frames, up to and including the first byte of the next multi-byte character. */
function halfACharacter(writer: AnswerWriter, frames: readonly Frame[]): Uint8Array {
  const rest = frames.flatMap((frame) => (frame.kind === "delta" ? [frame.delta] : []));
  // An ASCII answer gets a multi-byte character to split.
  const text = [...rest, { type: "text" as const, text: "猫" }].map((delta) => writer.delta(delta)).join("");
  const bytes = Buffer.from(text, "utf8");
  return bytes.subarray(0, bytes.findIndex((byte) => byte >= 0xc0) + 1);
}

/** Sends an answer as one JSON body, with pauses and faults. Rejects when the client has disconnected. */
export async function playWhole(playback: Playback, exchange: Exchange): Promise<void> {
  const { frames, writer, fault, holds } = playback;
  for (const frame of frames) {
    if (frame.kind === "hold" || frame.kind === "wait") await pause(frame, holds, exchange);
  }
  const text = JSON.stringify(writer.whole(fault));
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
    default:
      return exchange.reply(200, { "content-type": "application/json" }, text);
  }
}
