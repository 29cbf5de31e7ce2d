/** The search provider that the settings and the stored key configure. */

import type { Disposable } from "../../../core/lifecycle.ts";
import type { Fetch, SearchProvider, SearchProviders } from "../../../core/ports/web.ts";
import type { Settings } from "../../../shared/settings.ts";
import { unreachable } from "../../../shared/unreachable.ts";
import { BRAVE_BASE, brave } from "./brave.ts";
import { type SearchAdapter, searchWith } from "./search-request.ts";
import { searxng } from "./searxng.ts";
import { TAVILY_BASE, tavily } from "./tavily.ts";

/** Milliseconds for a search. */
const SEARCH_TIMEOUT = 20_000;

/** The providers that require a key. */
export const KEY_PROVIDERS = ["brave", "tavily"] as const;
export type KeyProvider = (typeof KEY_PROVIDERS)[number];

export interface SearchConfiguration {
  settings(): Pick<Settings, "search">;
  /** Each provider has its own key, so that none receives another's. */
  key(provider: KeyProvider): Promise<string | undefined>;
  onChange(listener: () => void): Disposable;
  fetch: Fetch;
}

export function createSearchProviders(configuration: SearchConfiguration): SearchProviders {
  const { settings, key, onChange, fetch } = configuration;
  let last: { id: string; provider: SearchProvider | undefined } | undefined;
  return {
    onChange,
    async current() {
      const { provider, url } = settings().search;
      const own = provider === "brave" || provider === "tavily" ? ((await key(provider)) ?? "") : "";
      const id = JSON.stringify([provider, url, own]);
      if (last?.id !== id) {
        const adapter = adapterOf(provider, url, own);
        const transport = { fetch, key: own, timeoutMs: SEARCH_TIMEOUT };
        last = { id, provider: adapter && searchWith(adapter, transport) };
      }
      return last.provider;
    },
  };
}

/** undefined: something is missing. */
function adapterOf(
  provider: Settings["search"]["provider"],
  url: string,
  key: string,
): SearchAdapter | undefined {
  switch (provider) {
    case "none":
      return undefined;
    case "brave":
      return key === "" ? undefined : brave({ base: BRAVE_BASE, key });
    case "tavily":
      return key === "" ? undefined : tavily({ base: TAVILY_BASE, key });
    case "searxng":
      return isServer(url) ? searxng({ base: url }) : undefined;
    default:
      return unreachable(provider);
  }
}

/** A password in the address would be shown, and `fetch` takes none. */
function isServer(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
