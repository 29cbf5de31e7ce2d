/**
 * The public API of the library: the parts of the agent that can be used on their own. Documented in docs/library.md.
 */

import type { Verdict } from "../shared/reason.ts";
import { reasonInEnglish } from "../shared/words/reasons/reasons.ts";
import { applyPatch as applyToFiles } from "./edits/patch/patch.ts";
import { messageOf } from "./errors.ts";
import type { Assets } from "./ports/system.ts";
import { type CommandContext, type CommandLists, readCommand } from "./safety/commands/judge-command.ts";
import { judgePath as judge, type PathOptions, type PathVerdict } from "./safety/paths/judge-path.ts";

export { findMentions, type Mention } from "../shared/mentions.ts";
export type { AssistantBlock, AssistantEvent } from "./assistant/events.ts";
export { createArgumentsParser } from "./assistant/json/arguments-parser.ts";
export { createAssistantParser, parseAssistantMessage } from "./assistant/xml/xml-protocol.ts";
export { estimateTokens } from "./context/tokens.ts";
export { applySearchReplace } from "./edits/apply-blocks.ts";

/** What a patch makes of one file. */
export interface PatchedFile {
  /** As the patch names it. */
  path: string;
  /** null: the patch deletes the file. */
  content: string | null;
  /** The path that the file is moved to, with `content`. */
  movedTo?: string;
}

export type LibraryPatchResult = { ok: true; files: PatchedFile[] } | { ok: false; error: string };

/**
 * Applies a patch in the apply_patch format, all or nothing. `read` returns the content of a file, or undefined if there is none.
 * Nothing is written. Never throws: also if `read` does, the result has an error.
 */
export function applyPatch(patch: string, read: (path: string) => string | undefined): LibraryPatchResult {
  try {
    const result = applyToFiles(patch, read);
    if (!result.ok) return { ok: false, error: result.error };
    return {
      ok: true,
      files: result.changes.map((change) => ({
        path: change.path,
        content: change.kind === "delete" ? null : change.content,
        ...(change.kind === "move" ? { movedTo: change.to } : {}),
      })),
    };
  } catch (error) {
    return { ok: false, error: `A file could not be read: ${messageOf(error)}` };
  }
}

export interface LibraryVerdict {
  /** "allow": may run without approval. "ask": a user decides. "deny": the deny list or .nekodeignore forbids it. */
  verdict: Verdict;
  /** In English, without a final period. */
  reason: string;
}

/** Judges a command by its text alone. */
export function createCommandJudge(assets: Assets) {
  return async (
    command: string,
    options: Omit<CommandContext, "reads"> & CommandLists,
  ): Promise<LibraryVerdict> => {
    const { verdict, reason } = await (await readCommand(assets, command, options)).under(options);
    return { verdict, reason: reasonInEnglish(reason) };
  };
}

/** Judges one path. Never throws, whatever the path and whatever the functions of `options` do. */
export async function judgePath(
  path: string,
  options: PathOptions,
): Promise<LibraryVerdict & Pick<PathVerdict, "resolved" | "inside" | "guard">> {
  const judged = await judge(path, options);
  return { ...judged, reason: reasonInEnglish(judged.reason) };
}
