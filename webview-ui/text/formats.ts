/** Formatters of dates, each made once: making one takes far longer than using it, and a list has hundreds of dates. */
const dates = new Map<string, Intl.DateTimeFormat>();
const relative = new Map<string, Intl.RelativeTimeFormat>();

/** `language`: a BCP 47 tag. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  return known(dates, key, () => new Intl.DateTimeFormat(language, options));
}

/** With words like "yesterday" where the language has them. */
export function relativeFormat(language: string): Intl.RelativeTimeFormat {
  return known(relative, language, () => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
}

function known<T>(formats: Map<string, T>, key: string, make: () => T): T {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}
