/** The address of a queue: a Redis URL. It can contain a password, which is never shown. */

export interface QueueAddress {
  url: string;
  /** Without user name and password. */
  shown: string;
  /** Replaces what is secret in a text of the Redis client. */
  masked(text: string): string;
}

/** undefined: not a Redis URL. */
export function queueAddress(url: string): QueueAddress | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === "") return undefined;
  if (!/^\/?\d*$/.test(parsed.pathname)) return undefined;
  const secrets = [parsed.password, decoded(parsed.password)].filter((secret) => secret !== "");
  const port = parsed.port === "" ? "6379" : parsed.port;
  return {
    url,
    shown: `${parsed.protocol}//${parsed.hostname}:${port}${parsed.pathname === "/" ? "" : parsed.pathname}`,
    masked: (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
