/**
 * The window that an endpoint lists for a model, known before the first prompt is made: small windows are those of local
 * models, whose endpoints say so.
 */
import type { Settings } from "../../shared/settings.ts";
import { messageOf, throwIfAborted } from "../errors.ts";
import type { Host } from "../ports.ts";
import { statedWindow } from "../provider/models.ts";
import { wait } from "./step.ts";

/** How long the first request to a model waits for the list, in milliseconds; later ones do not. */
const listingMs = 1_000;
/** By endpoint and model; asked for once, for as long as the host lives. */
const asked = new Map<string, Promise<number | undefined>>();

/** undefined: the endpoint does not say, or not yet. */
export async function listedWindow(
  provider: Settings["provider"],
  model: string,
  apiKey: string | undefined,
  host: Pick<Host, "clock" | "log">,
  signal: AbortSignal,
): Promise<number | undefined> {
  const key = `${provider.baseUrl} ${model}`;
  let listing = asked.get(key);
  if (!listing) {
    const limit = AbortSignal.timeout(10 * listingMs);
    listing = statedWindow(provider, model, apiKey, limit).catch((error: unknown) => {
      host.log.info(`the endpoint did not list its models: ${messageOf(error)}`);
      asked.delete(key);
      return undefined;
    });
    asked.set(key, listing);
  }
  const heard = new AbortController();
  const late = wait(host.clock, listingMs, AbortSignal.any([signal, heard.signal])).catch(() => undefined);
  const window = await Promise.race([listing, late]);
  heard.abort();
  throwIfAborted(signal);
  return window ?? undefined;
}
