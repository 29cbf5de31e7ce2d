/** How long ago something was: "5 minutes ago", "yesterday", and a date from a month on. */
import { dateFormat, relativeFormat } from "./formats.ts";

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const MONTH = 30 * 86_400;

/** `iso`: a time, which is returned unchanged if it is none. `now`: milliseconds since 1970. */
export function relativeDate(language: string, iso: string, now: number): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return iso;
  const seconds = Math.max(0, (now - then) / 1_000);
  if (seconds >= MONTH) return dateFormat(language, { dateStyle: "medium" }).format(then);
  const format = relativeFormat(language);
  for (const [unit, size] of UNITS) {
    if (seconds >= size) return format.format(-Math.floor(seconds / size), unit);
  }
  return format.format(0, "second");
}
