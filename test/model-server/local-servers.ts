/** Real model servers on this machine, for `npm start` to name beside the scripted model. */
import { ModelCatalog } from "../../src/core/provider/catalog/model-catalog.ts";
import { findServers, LOCAL_PORTS, type LocalPorts } from "../../src/core/provider/connect/find-servers.ts";
import { ModelProfiles } from "../../src/core/provider/model-profile.ts";
import { createProxiedFetch } from "../../src/node/net/model-fetch.ts";
import { presetOf } from "../../src/shared/models/connection-presets.ts";

/**
 * Asks the usual local ports once, without a key. Returns a line for each server that answers, with the option that uses it. `own`:
 * the port of the scripted model, which is not asked.
 */
export async function localServerHints(own?: number, ports: LocalPorts = LOCAL_PORTS): Promise<string[]> {
  const host = { fetchVia: createProxiedFetch() };
  const catalog = new ModelCatalog({ apiKey: async () => undefined, profiles: new ModelProfiles(), host });
  const asked = ports.filter(({ port }) => port !== own);
  const found = await findServers(asked, { catalog, host }, new AbortController().signal);
  return found.map(({ preset, baseUrl, models: [model] }) => {
    const { title } = presetOf(preset);
    const option = `npm start -- --base-url ${baseUrl}`;
    return model === undefined
      ? `${title} runs at ${baseUrl}, without a model. Load one there, then: ${option} --model NAME`
      : `${title} runs at ${baseUrl}. To use it: ${option} --model ${shellWord(model)}`;
  });
}

/** Names of models come from the server: quoted, so that a copied line is one command. */
function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replace(/[^\P{C}]/gu, "").replaceAll("'", "'\\''")}'`;
}
