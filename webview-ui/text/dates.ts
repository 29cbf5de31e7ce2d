/** Dates for users: days of the user's calendar, by which lists are grouped, and times relative to now. */

/** "Today", "Yesterday", a weekday of the last week, or a date; `now`: milliseconds since 1970. */
export function dayName(language: string, then: number, now: number): string {
  const days = dayNumber(now) - dayNumber(then);
  if (days === 0 || days === 1) {
    const name = relativeFormat(language).format(-days, "day");
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  }
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
  language: string,
  now: number,
): Day<T>[] {
  const days: Day<T>[] = [];
  for (const item of items) {
    const then = Date.parse(timeOf(item));
    const name = Number.isNaN(then) ? "" : dayName(language, then, now);
    const last = days.at(-1);
    if (last?.name === name) last.items.push(item);
    else days.push({ name, items: [item] });
  }
  return days;
}

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const MONTH = 30 * 86_400;

/** `iso`: an ISO 8601 time; other text is returned unchanged. `now`: milliseconds since 1970. */
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

/** The formatters, each created once: creating one takes far longer than using it, and a list has hundreds of dates. */
const dates = new Map<string, Intl.DateTimeFormat>();
const relative = new Map<string, Intl.RelativeTimeFormat>();

/** `language`: a BCP 47 tag. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  return known(dates, key, () => new Intl.DateTimeFormat(language, options));
}

/** With words like "yesterday" where the language has them. */
function relativeFormat(language: string): Intl.RelativeTimeFormat {
  return known(relative, language, () => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
}

function known<T>(formats: Map<string, T>, key: string, make: () => T): T {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}
