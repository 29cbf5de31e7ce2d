/** Checks of a request's fields that several APIs share. Each throws a 400 that names the field. */
import { isRecord, refuse } from "./api-error.ts";

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function inRange(body: Record<string, unknown>, name: string, low: number, high: number): void {
  const value = body[name];
  if (!isGiven(value)) return;
  if (typeof value !== "number")
    refuse(name, "invalid_type", `Invalid type for '${name}': expected a number.`);
  if (value < low || value > high) {
    refuse(name, "invalid_value", `Invalid value for '${name}': ${value} is outside ${low}..${high}.`);
  }
}

export function positiveInteger(body: Record<string, unknown>, name: string): void {
  const value = body[name];
  if (!isGiven(value)) return;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    refuse(
      name,
      "invalid_value",
      `Invalid value for '${name}': expected a positive integer, got ${JSON.stringify(value)}.`,
    );
  }
}

/** With the `u` flag, a surrogate matches only without its partner. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** `path`: of the value; "" for the body. */
export function refuseLoneSurrogates(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (LONE_SURROGATE.test(value)) {
      refuse(
        path,
        "invalid_unicode",
        `Invalid Unicode in '${path}': a lone surrogate cannot be encoded as UTF-8.`,
      );
    }
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseLoneSurrogates(item, `${path}[${index}]`);
    });
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      const inner = path === "" ? key : `${path}.${key}`;
      refuseLoneSurrogates(key, inner);
      refuseLoneSurrogates(item, inner);
    }
  }
}
