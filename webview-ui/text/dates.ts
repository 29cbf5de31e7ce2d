/** Dates for users: days of the user's calendar, by which lists are grouped, and times relative to now. */
import type { Translate } from "../../src/shared/words/task-words.ts";

/** "Today", "Yesterday", a weekday of the last week, or a date; `now`: milliseconds since 1970. */
export function dayName(t: Translate, language: string, then: number, now: number): string {
  const days = dayNumber(now) - dayNumber(then);
  if (days === 0) return t("Today");
  if (days === 1) return t("Yesterday");
  const format: Intl.DateTimeFormatOptions =
    days > 1 && days < 7 ? { weekday: "long" } : { dateStyle: "long" };
  return dateFormat(language, format).format(then);
}

/** Days of the calendar, which daylight saving time does not shorten. */
function dayNumber(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

export interface Day<T> {
  name: string;
  items: T[];
}

/** Groups successive items of the same day; `timeOf`: ISO 8601. Items without a valid time form a group without a name. */
export function byDay<T>(
  items: readonly T[],
  timeOf: (item: T) => string,
  { t, language, now }: { t: Translate; language: string; now: number },
): Day<T>[] {
  const days: Day<T>[] = [];
  for (const item of items) {
    const then = Date.parse(timeOf(item));
    const name = Number.isNaN(then) ? "" : dayName(t, language, then, now);
    const last = days.at(-1);
    if (last?.name === name) last.items.push(item);
    else days.push({ name, items: [item] });
  }
  return days;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;

/**
 * `iso`: an ISO 8601 time; other text is returned unchanged. `now`: milliseconds since 1970. The first use of `Intl` in a page can
 * take a tenth of a second, and the first screen has such times, so only those of a month ago or more are left to it.
 */
export function relativeDate(t: Translate, language: string, iso: string, now: number): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return iso;
  const seconds = (now - then) / 1_000;
  if (seconds >= MONTH) return dateFormat(language, { dateStyle: "medium" }).format(then);
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor(seconds / MINUTE);
  if (days > 0) return days === 1 ? t("yesterday") : t("{0} days ago", days);
  if (hours > 0) return hours === 1 ? t("1 hour ago") : t("{0} hours ago", hours);
  if (minutes > 0) return minutes === 1 ? t("1 minute ago") : t("{0} minutes ago", minutes);
  return t("now");
}

/** The formatters, each created once: creating one takes far longer than using it, and a list has hundreds of dates. */
const dates = new Map<string, Intl.DateTimeFormat>();

/** `language`: a BCP 47 tag. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(language, options);
  dates.set(key, format);
  return format;
}
