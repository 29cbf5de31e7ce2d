/**
 * The window that an endpoint lists for a model, known before the first prompt is made: small windows are those of local
 * models, whose endpoints say so.
 */
import type { Settings } from "../../shared/settings.ts";
import { messageOf, throwIfAborted } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import type { Listing, ModelProfile } from "../provider/model-profile.ts";
import { wait } from "../wait.ts";

/** How long whoever asks waits for the list, in milliseconds from when it was asked for. */
const listingMs = 1_000;
/** After a failure the endpoint is left alone for so long, in milliseconds. */
const restMs = 60_000;

interface ListingDeps {
  host: Pick<Host, "clock" | "log" | "fetch">;
  apiKey(): Promise<string | undefined>;
}

/** Asks the endpoint at most once, and tells the profile what it says, unless that takes longer than a second. */
export async function askListedWindow(
  profile: ModelProfile,
  provider: Settings["provider"],
  deps: ListingDeps,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps.host;
  const now = clock.now().getTime();
  let { listing } = profile;
  if (!listing || (listing.failed && now - listing.at > restMs)) {
    listing = listingOf(profile, provider, deps, now);
    profile.listing = listing;
  }
  const heard = new AbortController();
  const rest = Math.max(0, listing.at + listingMs - now);
  const late = wait(clock, rest, AbortSignal.any([signal, heard.signal])).catch(() => undefined);
  const window = await Promise.race([listing.window, late]);
  heard.abort();
  throwIfAborted(signal);
  if (window !== undefined) profile.learnListedWindow(window);
}

function listingOf(
  { api, model }: ModelProfile,
  provider: Settings["provider"],
  { host, apiKey }: ListingDeps,
  at: number,
): Listing {
  const limit = AbortSignal.timeout(10 * listingMs);
  const ask = async () =>
    api.listedWindow({ provider, model, apiKey: await apiKey(), fetch: host.fetch }, limit);
  const listing: Listing = { window: ask().catch(failed), at, failed: false };
  return listing;

  function failed(error: unknown): undefined {
    host.log.info(`the endpoint did not list its models: ${messageOf(error)}`);
    listing.failed = true;
  }
}
