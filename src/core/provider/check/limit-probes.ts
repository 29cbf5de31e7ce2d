/** What a model accepts: images, schemas for its answers, beginnings of prompts from a cache, and how long a prompt. */
import type { Finding } from "../../../shared/models/check.ts";
import type { ProviderError } from "../../errors.ts";
import type { ModelProfile } from "../model-profile.ts";
import { type Asker, absent, argumentsOf, fault, good, refused, skipped } from "./asker.ts";
import { askRaw } from "./raw-chat.ts";

/** A red square. */
const RED =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsAtx/ZMZxgi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywKqxUDxqh7TUQAAAABJRU5ErkJggg==";

export async function probeImages(asker: Asker, profile: ModelProfile): Promise<Finding> {
  const { text, error } = await asker.ask({
    messages: [
      asker.user("Which color is this square? Reply with the name of the color alone.", {
        mimeType: "image/png",
        data: RED,
      }),
    ],
  });
  if (error && profile.api.refusesImages(error))
    // Some servers refuse them with the status of a fault of their own.
    return { ...refused("images", error, "absent"), error: { ...error.view, code: "bad-request" } };
  if (error) return refused("images", error);
  return /\bred\b/i.test(text) ? good("images") : absent("images", "not-seen");
}

const SCHEMA = {
  type: "object",
  properties: { animal: { type: "string", enum: ["cat", "dog"] }, legs: { type: "integer" } },
  required: ["animal", "legs"],
  additionalProperties: false,
};

/** Only chat completions have this parameter. */
export async function probeJsonSchema(asker: Asker, signal: AbortSignal): Promise<Finding> {
  const answer = await askRaw(
    asker.endpoint(),
    [{ role: "user", content: "Write a short poem about a cat." }],
    {
      response_format: { type: "json_schema", json_schema: { name: "animal", strict: true, schema: SCHEMA } },
    },
    signal,
  );
  if ("error" in answer) return refused("json-schema", answer.error, "absent");
  const value = argumentsOf(answer.text.trim());
  const fits = (value?.animal === "cat" || value?.animal === "dog") && Number.isInteger(value.legs);
  return fits ? good("json-schema") : absent("json-schema", "ignored");
}

/** More than the shortest prefix that common endpoints keep (1,024 tokens). */
const PREFIX_TOKENS = 3_000;
/** A second request that begins so much sooner was read from a cache. */
const SOONER = 0.6;
const LEAST_MS = 400;

/** `charactersPerToken`: of the text that `fillerOf` makes, for the window. */
export async function probeCache(asker: Asker): Promise<{ finding: Finding; charactersPerToken: number }> {
  const text = fillerOf(PREFIX_TOKENS * 4);
  const ask = () => asker.ask({ system: text, messages: [asker.user("Reply with the single word PONG.")] });
  const first = await ask();
  const second = await ask();
  const error = first.error ?? second.error;
  const counted = first.usage?.inputTokens ?? 0;
  const measured = text.length / counted;
  const charactersPerToken = measured > 1 && measured < 8 ? measured : 4;
  if (error) return { finding: refused("cache", error, "absent"), charactersPerToken };
  const isSooner = first.firstMs >= LEAST_MS && second.firstMs < SOONER * first.firstMs;
  const isCached = (second.usage?.cachedTokens ?? 0) > 0 || isSooner;
  return { finding: isCached ? good("cache") : absent("cache", "no-cache"), charactersPerToken };
}

/** Share of the expected window that is tried first: the rest is for the question and the answer. */
const FULL_SHARE = 0.9;
/** The search ends when the longest prompt that fits has at least this share of the length of the shortest that does not. */
const CLOSE = 0.85;
const MOST_STEPS = 8;
const LEAST_WINDOW = 1_024;
const CODE = "DELTA-9083";

export interface WindowOptions {
  /** Tokens that may be sent; 0: the window is not measured. */
  budget: number;
  charactersPerToken: number;
}

/**
 * Sends prompts of different lengths, each with a code at its beginning: an endpoint that silently drops the beginning
 * of a long prompt loses it. Learns a window that is smaller than expected.
 */
export async function probeWindow(
  asker: Asker,
  profile: ModelProfile,
  { budget, charactersPerToken }: WindowOptions,
): Promise<Finding> {
  const expected = profile.window(0);
  if (budget < LEAST_WINDOW) return skipped("window", "not-measured");
  let fits = 0;
  let fails = 0;
  let isCut = false;
  let spent = 0;
  let size = Math.floor(Math.min(expected * FULL_SHARE, budget));
  for (let step = 0; step < MOST_STEPS && size >= LEAST_WINDOW && spent + size <= budget; step++) {
    const { text, error } = await asker.ask({
      messages: [
        asker.user(
          `The code is ${CODE}. Keep it in mind.\n\n${fillerOf(size * charactersPerToken)}\n\nWhat is the code at the beginning of this message? Reply with the code alone.`,
        ),
      ],
    });
    if (error && error.view.code !== "context-length")
      return fits > 0 || fails > 0 ? result(fits, fails, isCut, expected, profile) : unmeasured(error);
    const { limit } = error ? profile.api.statedLengths(error) : {};
    if (limit !== undefined && limit < expected) return result(limit, size, false, expected, profile);
    if (!error) spent += size;
    if (!error && text.includes(CODE.slice(-4))) fits = size;
    else {
      fails = size;
      isCut = !error;
    }
    if (fails === 0 || fits >= fails * CLOSE) break;
    size = Math.floor((fits + fails) / 2);
  }
  return result(fits, fails, isCut, expected, profile);
}

function unmeasured(error: ProviderError): Finding {
  const { code } = error.view;
  // The server is too slow for such a prompt, which says nothing about the window.
  const isLate = code === "first-token-timeout" || code === "idle-timeout";
  return isLate ? skipped("window", "not-measured") : refused("window", error);
}

function result(
  fits: number,
  fails: number,
  isCut: boolean,
  expected: number,
  profile: ModelProfile,
): Finding {
  if (fails === 0)
    return fits === 0 ? skipped("window", "not-measured") : good("window", "window-holds", fits);
  // A window that was only assumed cannot be smaller than it should be.
  const isAssumed = profile.facts.window === undefined;
  if (fits >= LEAST_WINDOW) profile.learn({ window: fits }, "check");
  if (isAssumed && !isCut && fits > 0) return good("window", "window-holds", fits);
  return fault("window", isCut ? "window-cut" : "window-smaller", fits, expected);
}

/** Text of about that many characters, in which no two lines are the same. */
function fillerOf(characters: number): string {
  const lines: string[] = [];
  for (let length = 0, line = 1; length < characters; line++) {
    const text = `Note ${line}: on day ${(line * 37) % 365} the cat slept for ${(line * 13) % 24} hours near the river.`;
    lines.push(text);
    length += text.length + 1;
  }
  return lines.join("\n").slice(0, Math.max(0, Math.floor(characters)));
}
