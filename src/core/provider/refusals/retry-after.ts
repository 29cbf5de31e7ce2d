/** When an endpoint that refuses a request says that it may be sent again, in whichever place and form. */

/** Levels of a body that are examined. */
const MOST_LEVELS = 8;

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1_000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];
const UNIT = "(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)";
const DURATION = `\\d+(?:\\.\\d+)?\\s*${UNIT}(?![a-z])(?:,?\\s*(?:and\\s+)?\\d+(?:\\.\\d+)?\\s*${UNIT}(?![a-z]))*`;
const COMPACT = `(?:\\d+(?:\\.\\d+)?${UNIT})+(?![a-z])`;
const DATE = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:?\\d\\d)";
/** "try again in 2m59.5s", "will reset after 3s", "wait 20 seconds", "retry at 2026-01-01T00:00:00Z". */
const SENTENCE = new RegExp(
  `(?:try again|retry(?:ing)?|resets?|wait|available)\\b[^\\d\\n]{0,30}?(${DATE}|${COMPACT}|${DURATION})`,
  "i",
);

/**
 * Returns the milliseconds until then; undefined if the endpoint does not state them. `text`: its message for people. Limits that are
 * not exhausted are ignored.
 */
export function retryAfter(
  { headers, body, text }: { headers: Headers | undefined; body: unknown; text: string },
  now = Date.now(),
): number | undefined {
  const ms = Number(headers?.get("retry-after-ms") || Number.NaN);
  if (ms >= 0) return ms;
  return (
    delayOf(headers?.get("retry-after"), now) ??
    delayIn(body, now) ??
    delayOf(SENTENCE.exec(text)?.[1], now) ??
    latestReset([...(headers?.entries() ?? [])], now)
  );
}

/** Reads seconds, a moment in seconds or milliseconds, a date (RFC 9110, RFC 3339), or a duration as "1m2.5s". */
function delayOf(value: string | null | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number > 1e11) return Math.max(0, number - now);
    return number > 1e8 ? Math.max(0, number * 1_000 - now) : number * 1_000;
  }
  if (new RegExp(`^(?:${COMPACT}|${DURATION})$`, "i").test(text)) return durationOf(text);
  const date = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function durationOf(text: string): number | undefined {
  let sum = 0;
  for (const [, count, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const factor = UNITS.find(([pattern]) => pattern.test(unit))?.[1];
    if (factor === undefined) return undefined;
    sum += Number(count) * factor;
  }
  return sum > 0 ? sum : undefined;
}

/** Finds google.rpc.RetryInfo, a field that is named like the header, or headers that an aggregator passes on. */
function delayIn(value: unknown, now: number, levels = MOST_LEVELS): number | undefined {
  if (typeof value !== "object" || value === null || levels === 0) return undefined;
  const entries = Object.entries(value);
  for (const [key, item] of entries) {
    const delay = delayOfField(key, item, now);
    if (delay !== undefined) return delay;
  }
  const reset = latestReset(
    entries.flatMap(([key, item]): [string, string][] =>
      typeof item === "string" || typeof item === "number" ? [[key.toLowerCase(), String(item)]] : [],
    ),
    now,
  );
  if (reset !== undefined) return reset;
  for (const [, item] of entries) {
    const delay = delayIn(item, now, levels - 1);
    if (delay !== undefined) return delay;
  }
  return undefined;
}

/** undefined: the field does not name a delay. */
function delayOfField(key: string, value: unknown, now: number): number | undefined {
  const name = key.toLowerCase().replace(/[^a-z]/g, "");
  if (!/^retry(?:delay|after)(?:ms|s|seconds|milliseconds)?$/.test(name)) return undefined;
  const text = typeof value === "number" || typeof value === "string" ? String(value) : secondsOf(value);
  const inMs = /(?:ms|milliseconds)$/.test(name) && /^[\d.]+$/.test(text);
  return inMs ? Number(text) : delayOf(text, now);
}

/** A duration of protobuf as an object. */
function secondsOf(value: unknown): string {
  if (typeof value !== "object" || value === null || !("seconds" in value)) return "";
  return String(value.seconds);
}

/** Returns when the last of the exhausted limits is reset. */
function latestReset(headers: readonly (readonly [string, string])[], now: number): number | undefined {
  const named = new Map(headers);
  const delays = headers.flatMap(([name, value]) => {
    if (!/ratelimit-(?:.*-)?reset(?:-|$)/.test(name)) return [];
    const remaining = named.get(name.replace("reset", "remaining"));
    return remaining !== undefined && Number(remaining) > 0 ? [] : (delayOf(value, now) ?? []);
  });
  return delays.length === 0 ? undefined : Math.max(...delays);
}
