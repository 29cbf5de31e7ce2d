/** Groups what is listed by the day of the user's calendar. */
import { dateFormat, relativeFormat } from "./formats.ts";

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

/** Successive items of one day together; `timeOf`: ISO 8601. Items without a valid time have a group without a name. */
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
