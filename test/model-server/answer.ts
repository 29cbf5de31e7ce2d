import { randomUUID } from "node:crypto";
import type { Part } from "./script.ts";

type NativeTool = Extract<Part, { nativeTool: unknown }>["nativeTool"];

/** A native call that an answer makes. */
interface CallPlan {
  id: string;
  /** Number of the call in its answer, from 0. */
  index: number;
  tool: NativeTool;
}

/** A piece of a call's arguments. `opens`: the call's first one, which may be empty. */
export interface CallDelta {
  type: "call";
  call: CallPlan;
  opens: boolean;
  text: string;
}

export type Delta =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; field: "reasoning_content" | "reasoning"; hidden?: boolean }
  | CallDelta;

/** One step of playing an answer. */
export type Frame =
  | { kind: "delta"; delta: Delta }
  | { kind: "hold"; name: string }
  | { kind: "wait"; ms: number }
  | { kind: "ping"; count: number };

export interface FrameOptions {
  /** Whether `{tool}` parts become native tool calls; otherwise they use the XML protocol. */
  native: boolean;
  chunkSize: number;
  interleave: boolean;
}

/** Splits an answer into deltas. */
export function toFrames(parts: readonly Part[], options: FrameOptions): Frame[] {
  const { chunkSize } = options;
  const frames: Frame[] = [];
  let tracks: Frame[][] = [];
  let toolIndex = 0;
  let content = "";
  let lastWasBlock = false;

  const flushTools = (): void => {
    frames.push(...(options.interleave ? roundRobin(tracks) : tracks.flat()));
    tracks = [];
  };
  const say = (text: string, block: boolean): void => {
    flushTools();
    const gap = content !== "" && (block || lastWasBlock) && !/\n\n$/.test(content) ? "\n\n" : "";
    const whole = gap + text;
    content += whole;
    lastWasBlock = block;
    for (const piece of pieces(whole, [chunkSize])) frames.push(deltaFrame({ type: "text", text: piece }));
  };
  const call = (tool: NativeTool): void => {
    tracks.push(toolFrames(tool, toolIndex, chunkSize));
    toolIndex += 1;
  };

  for (const part of parts) {
    if ("text" in part) say(part.text, false);
    else if ("xml" in part) say(part.xml, false);
    else if ("thinking" in part) {
      const tag = part.tag ?? "thinking";
      say(`<${tag}>\n${part.thinking}\n</${tag}>`, true);
    } else if ("tool" in part) {
      if (options.native) call({ name: part.tool, params: part.params });
      else say(toXml(part.tool, part.params), true);
    } else if ("nativeTool" in part) call(part.nativeTool);
    else if ("reasoning" in part) {
      flushTools();
      const field = part.field ?? "reasoning_content";
      const { hidden = false } = part;
      const split = hidden ? [part.reasoning] : pieces(part.reasoning, [chunkSize]);
      for (const text of split) {
        frames.push(deltaFrame({ type: "reasoning", text, field, ...(hidden ? { hidden } : {}) }));
      }
    } else {
      flushTools();
      frames.push(pauseOf(part));
    }
  }
  flushTools();
  return frames;
}

function pauseOf(part: Extract<Part, { hold: unknown } | { wait: unknown } | { ping: unknown }>): Frame {
  if ("hold" in part) return { kind: "hold", name: part.hold };
  return "wait" in part ? { kind: "wait", ms: part.wait } : { kind: "ping", count: part.ping };
}

/** A call in the XML protocol: multi-line values are on lines of their own, byte for byte. */
function toXml(tool: string, params: Record<string, unknown>): string {
  const lines = Object.entries(params).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return /[\r\n]/.test(text) ? `<${name}>\n${text}\n</${name}>` : `<${name}>${text}</${name}>`;
  });
  return [`<${tool}>`, ...lines, `</${tool}>`].join("\n");
}

function toolFrames(tool: NativeTool, index: number, chunkSize: number): Frame[] {
  const id = tool.id ?? `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
  const text = tool.arguments ?? JSON.stringify(tool.params ?? {});
  const piece = (opens: boolean, part: string): Frame =>
    deltaFrame({ type: "call", call: { id, index, tool }, opens, text: part });
  if (tool.wholeAtOnce || tool.argumentsAsObject) return [piece(true, text)];
  const rest = pieces(text, tool.splitArguments ?? [chunkSize]).map((part) => piece(false, part));
  return [piece(true, ""), ...rest];
}

function deltaFrame(delta: Delta): Frame {
  return { kind: "delta", delta };
}

/** Splits text between code points into pieces of the given sizes; the last size repeats. */
function pieces(text: string, sizes: readonly number[]): string[] {
  const characters = [...text];
  const found: string[] = [];
  let start = 0;
  for (let step = 0; start < characters.length; step += 1) {
    const size = sizes[Math.min(step, sizes.length - 1)] ?? 1;
    found.push(characters.slice(start, start + size).join(""));
    start += size;
  }
  return found;
}

function roundRobin(tracks: readonly Frame[][]): Frame[] {
  const longest = Math.max(0, ...tracks.map((track) => track.length));
  return Array.from({ length: longest }, (_, step) => tracks.flatMap((track) => track[step] ?? [])).flat();
}

/** A complete call; `text`: its arguments. */
export interface PlayedCall {
  id: string;
  name: string;
  text: string;
}

export interface FoldedAnswer {
  content: string;
  reasoning: string;
  reasoningField: "reasoning_content" | "reasoning";
  calls: PlayedCall[];
}

/** The whole message that the deltas add up to: for answers that are not streamed, and for usage. */
export function foldFrames(frames: readonly Frame[]): FoldedAnswer {
  const folded: FoldedAnswer = { content: "", reasoning: "", reasoningField: "reasoning_content", calls: [] };
  for (const frame of frames) {
    if (frame.kind !== "delta") continue;
    const { delta } = frame;
    if (delta.type === "text") folded.content += delta.text;
    else if (delta.type === "reasoning") {
      if (delta.hidden === true) continue;
      folded.reasoning += delta.text;
      if (delta.field === "reasoning") folded.reasoningField = "reasoning";
    } else {
      const { id, index, tool } = delta.call;
      folded.calls[index] ??= { id, name: tool.name, text: "" };
      folded.calls[index].text += delta.text;
    }
  }
  return folded;
}
