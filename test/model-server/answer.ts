import { randomUUID } from "node:crypto";
import type { Part } from "./script.ts";

interface ToolCallDelta {
  index?: number;
  id?: string;
  type?: "function";
  function: { name?: string; arguments?: string | Record<string, unknown> };
}

export interface Delta {
  role?: "assistant";
  content?: string;
  reasoning_content?: string;
  reasoning?: string;
  tool_calls?: ToolCallDelta[];
}

/** One step of playing an answer. */
export type Frame =
  | { kind: "delta"; delta: Delta; size: number }
  | { kind: "hold"; name: string }
  | { kind: "wait"; ms: number };

export interface FrameOptions {
  /** Whether `{tool}` parts become native tool calls; otherwise they use the XML protocol. */
  native: boolean;
  chunkSize: number;
  interleave: boolean;
}

type NativeTool = Extract<Part, { nativeTool: unknown }>["nativeTool"];

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
    for (const piece of pieces(whole, [chunkSize])) frames.push(deltaFrame({ content: piece }, piece));
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
      for (const piece of pieces(part.reasoning, [chunkSize]))
        frames.push(deltaFrame({ [field]: piece }, piece));
    } else {
      flushTools();
      frames.push("hold" in part ? { kind: "hold", name: part.hold } : { kind: "wait", ms: part.wait });
    }
  }
  flushTools();
  return frames;
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
  const place = tool.omitIndex ? {} : { index };
  const head = { ...place, id, type: "function" } as const;
  if (tool.wholeAtOnce || tool.argumentsAsObject) {
    const whole = tool.argumentsAsObject ? (tool.params ?? {}) : text;
    return [deltaFrame({ tool_calls: [{ ...head, function: { name: tool.name, arguments: whole } }] }, text)];
  }
  const opening = deltaFrame({ tool_calls: [{ ...head, function: { name: tool.name, arguments: "" } }] }, "");
  const rest = pieces(text, tool.splitArguments ?? [chunkSize]).map((piece) => {
    const delta: ToolCallDelta = tool.repeatName
      ? { ...head, function: { name: tool.name, arguments: piece } }
      : { ...place, function: { arguments: piece } };
    return deltaFrame({ tool_calls: [delta] }, piece);
  });
  return [opening, ...rest];
}

function deltaFrame(delta: Delta, text: string): Frame {
  return { kind: "delta", delta, size: text.length };
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

export interface FoldedAnswer {
  content: string;
  reasoning: string;
  reasoningField: "reasoning_content" | "reasoning";
  toolCalls: { id: string; type: "function"; function: { name: string; arguments: string } }[];
}

/** The whole message that the deltas add up to: for answers that are not streamed, and for usage. */
export function foldFrames(frames: readonly Frame[]): FoldedAnswer {
  const folded: FoldedAnswer = {
    content: "",
    reasoning: "",
    reasoningField: "reasoning_content",
    toolCalls: [],
  };
  for (const frame of frames) {
    if (frame.kind !== "delta") continue;
    const { delta } = frame;
    folded.content += delta.content ?? "";
    folded.reasoning += delta.reasoning_content ?? delta.reasoning ?? "";
    if (delta.reasoning !== undefined) folded.reasoningField = "reasoning";
    for (const call of delta.tool_calls ?? []) {
      const isNew =
        call.index === undefined ? call.id !== folded.toolCalls.at(-1)?.id && call.id !== undefined : false;
      const index = call.index ?? Math.max(0, folded.toolCalls.length - (isNew ? 0 : 1));
      let known = folded.toolCalls[index];
      if (known === undefined) {
        known = {
          id: call.id ?? "",
          type: "function",
          function: { name: call.function.name ?? "", arguments: "" },
        };
        folded.toolCalls[index] = known;
      }
      const piece = call.function.arguments ?? "";
      known.function.arguments += typeof piece === "string" ? piece : JSON.stringify(piece);
    }
  }
  return folded;
}
