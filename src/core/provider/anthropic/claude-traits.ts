/** What requests to a Claude model need to know of it, by its name. */

export interface ClaudeTraits {
  /** The form in which thinking is requested; undefined: the model has none. */
  thinking: "budget" | "adaptive" | undefined;
  /** It thinks unless the request says otherwise. */
  thinksByDefault: boolean;
  /** Its thinking cannot be turned off. */
  alwaysThinks: boolean;
  /** Its thinking is empty unless the request asks for a summary. */
  hidesThinking: boolean;
  /** It thinks between calls only if a header asks for it. */
  interleavesOnRequest: boolean;
  takesTemperature: boolean;
  /** Tokens of the longest answer. */
  maxOutput: number;
}

/** `claude-3-7-sonnet-…`, `claude-sonnet-4-…`, `claude-opus-4-5-…`, `anthropic/claude-opus-4.6`, `claude-mythos-…`. */
const NAME = /claude(?:-([a-z]+))?(?:-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d))?(?:-([a-z]+))?/i;

/**
 * Returns the traits of a Claude model; undefined if the name is another's. A name without a version counts as the newest.
 * Source: platform.claude.com/docs, pages on models, thinking and migration, November 2026.
 */
export function claudeTraits(model: string): ClaudeTraits | undefined {
  const found = NAME.exec(model);
  if (!found) return undefined;
  const [, before, major, minor = "0", after] = found;
  const family = (before ?? after ?? "").toLowerCase();
  if (/^(?:instant|v)$/.test(family)) return traits(2, family);
  return traits(major === undefined ? Number.POSITIVE_INFINITY : Number(major) + Number(minor) / 10, family);
}

function traits(version: number, family: string): ClaudeTraits {
  const adaptive = version >= 4.6;
  return {
    thinking: adaptive ? "adaptive" : version >= 3.7 ? "budget" : undefined,
    thinksByDefault: version >= 5,
    alwaysThinks: /fable|mythos/.test(family) || (version >= 5.5 && family !== "haiku"),
    hidesThinking: version >= 4.7,
    interleavesOnRequest: version >= 4 && !adaptive,
    takesTemperature: version < 4.7,
    maxOutput: maxOutput(version, family),
  };
}

function maxOutput(version: number, family: string): number {
  if (version < 3.5) return 4_096;
  if (version < 3.7) return 8_192;
  if (version >= 4.6) return 128_000;
  return family === "opus" && version < 4.5 ? 32_000 : 64_000;
}
