/**
 * Models of OpenAI sometimes call a tool that they were never offered: `multi_tool_use.parallel`, whose arguments are the
 * calls that they mean.
 */
import type { FoldedBlock, FoldedCall, TextBuilder } from "../events.ts";
import { isRecord } from "../record.ts";
import { parseJson } from "../xml/whole-call.ts";

const NAME = /^(?:functions[._])?(?:multi_tool_use[._])?parallel$/;

interface MeantCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** Returns the calls that such a call means; undefined if it is none. */
export function parallelCalls(name: string, args: unknown): MeantCall[] | undefined {
  if (!NAME.test(name) || !isRecord(args)) return undefined;
  const uses = typeof args.tool_uses === "string" ? parseJson(args.tool_uses) : args.tool_uses;
  if (!Array.isArray(uses) || uses.length === 0) return undefined;
  const calls = uses.map((use): MeantCall | undefined => {
    if (!isRecord(use) || typeof use.recipient_name !== "string") return undefined;
    const given = use.parameters ?? {};
    return isRecord(given) ? { name: use.recipient_name, arguments: given } : undefined;
  });
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

/** Returns the blocks with each such call replaced by the calls that it means. `isTool`: there is a tool of that name. */
export function withParallelCalls(
  blocks: readonly FoldedBlock[],
  isTool: (name: string) => boolean,
): readonly FoldedBlock[] {
  return blocks.flatMap((block) => {
    if (block.type !== "tool" || block.partial || block.fault !== undefined || isTool(block.name))
      return [block];
    const { name, native } = block;
    const given = native ? native.arguments : { tool_uses: block.params.get("tool_uses")?.toString() };
    const calls = parallelCalls(name, given);
    return calls === undefined ? [block] : calls.map((call) => meantCall(call));
  });
}

function meantCall({ name, arguments: args }: MeantCall): FoldedCall {
  const params = new Map<string, TextBuilder>();
  return { type: "tool", name, params, partial: false, native: { arguments: args } };
}
