/**
 * The window that an endpoint lists for a model, known before the first prompt is made: small windows are those of local
 * models, whose endpoints say so.
 */
import type { Settings } from "../../shared/settings.ts";
import { messageOf, throwIfAborted } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { statedWindow } from "../provider/chat/models.ts";
import { wait } from "../wait.ts";

/** How long whoever asks waits for the list, in milliseconds from when it was asked for. */
const listingMs = 1_000;
/** After a failure the endpoint is left alone for so long, in milliseconds. */
const restMs = 60_000;

interface Asked {
  listing: Promise<number | undefined>;
  at: number;
  failed: boolean;
}
/** By endpoint and model; where it was answered, for as long as the host lives. */
const asked = new Map<string, Asked>();

/** undefined: the endpoint does not say, or not yet. */
export async function listedWindow(
  provider: Settings["provider"],
  model: string,
  apiKey: string | undefined,
  host: Pick<Host, "clock" | "log" | "fetch">,
  signal: AbortSignal,
): Promise<number | undefined> {
  const key = `${provider.baseUrl} ${model}`;
  const now = host.clock.now().getTime();
  let entry = asked.get(key);
  if (!entry || (entry.failed && now - entry.at > restMs)) {
    const limit = AbortSignal.timeout(10 * listingMs);
    entry = asking(statedWindow(provider, model, apiKey, limit, host.fetch), now, host.log);
    asked.set(key, entry);
  }
  const heard = new AbortController();
  const rest = Math.max(0, entry.at + listingMs - now);
  const late = wait(host.clock, rest, AbortSignal.any([signal, heard.signal])).catch(() => undefined);
  const window = await Promise.race([entry.listing, late]);
  heard.abort();
  throwIfAborted(signal);
  return window ?? undefined;
}

function asking(answer: Promise<number | undefined>, at: number, log: Host["log"]): Asked {
  const entry: Asked = { listing: answer.catch(failed), at, failed: false };
  return entry;

  function failed(error: unknown): undefined {
    log.info(`the endpoint did not list its models: ${messageOf(error)}`);
    entry.failed = true;
  }
}
