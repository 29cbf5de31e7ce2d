/**
 * Asks the endpoint for a model's window before the first prompt. Small windows are typical of local models, whose endpoints
 * list them.
 */

import type { Connection } from "../../shared/models/connection.ts";
import { wait } from "../async.ts";
import { messageOf, throwIfAborted } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { fetchFor, type RequestHost } from "../provider/connect/connection-fetch.ts";
import type { Listing, ModelProfile } from "../provider/model-profile.ts";

/** Milliseconds that callers wait for the list, from the start of the request. */
const LISTING_MS = 1_000;
/** Milliseconds after a failure before the endpoint is asked again. */
const REST_MS = 60_000;

interface ListingDeps {
  host: RequestHost & Pick<Host, "clock" | "log" | "editorModels">;
  apiKey(connection: Connection): Promise<string | undefined>;
}

/**
 * Passes what the endpoint reports about the model to the profile. Asks the endpoint once; again only after a failure, or
 * while its answer was provisional. Waits at most a second.
 */
export async function askListedWindow(
  profile: ModelProfile,
  deps: ListingDeps,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps.host;
  const now = clock.now().getTime();
  let { listing } = profile;
  if (!listing || (listing.failed && now - listing.at > REST_MS)) {
    listing = listingOf(profile, deps, now);
    profile.listing = listing;
  }
  const settled = new AbortController();
  const rest = Math.max(0, listing.at + LISTING_MS - now);
  const late = wait(clock, rest, AbortSignal.any([signal, settled.signal])).catch(() => undefined);
  const listed = await Promise.race([listing.model, late]);
  settled.abort();
  throwIfAborted(signal);
  if (!listed) return;
  profile.learnListed(listed.facts, listed.provisional);
  if (listed.provisional) profile.listing = undefined;
}

function listingOf(
  { api, connection, model }: ModelProfile,
  { host, apiKey }: ListingDeps,
  at: number,
): Listing {
  const limit = AbortSignal.timeout(10 * LISTING_MS);
  const ask = async () => {
    const { editorModels } = host;
    const fetch = fetchFor(host, connection);
    const endpoint = { connection, model, apiKey: await apiKey(connection), fetch, editorModels };
    const models = await api.listModels(endpoint, limit);
    return models.find(({ id }) => id === model.trim());
  };
  const listing: Listing = { model: ask().catch(failed), at, failed: false };
  return listing;

  function failed(error: unknown): undefined {
    host.log.info(`the endpoint did not list its models: ${messageOf(error)}`);
    listing.failed = true;
  }
}
