/** The models of all connections, and what is known about each. For hosts, which show them to the user. */
import { type Connection, type ModelChoice, modelName } from "../../../shared/models/connection.ts";
import type { ModelEntry, ModelFacts } from "../../../shared/models/facts.ts";
import { allowsModel } from "../../policy/endpoint-patterns.ts";
import type { Host } from "../../ports/host.ts";
import { apis } from "../apis.ts";
import { fetchFor, type RequestHost } from "../connect/connection-fetch.ts";
import type { ModelAccess } from "../model-access.ts";

/** Milliseconds after which a list that did not arrive counts as a failure. */
const LIST_MS = 20_000;

export interface CatalogDeps extends Pick<ModelAccess, "apiKey" | "profiles"> {
  host: RequestHost & Pick<Host, "editorModels">;
}

export class ModelCatalog {
  readonly #deps: CatalogDeps;

  constructor(deps: CatalogDeps) {
    this.#deps = deps;
  }

  /** Returns a catalog that shares what is known and asks with another key or another `fetch`. */
  with(deps: Partial<Pick<CatalogDeps, "apiKey" | "host">>): ModelCatalog {
    return new ModelCatalog({ ...this.#deps, ...deps });
  }

  /**
   * Asks the endpoint which models it has, in its order, without those that cannot chat. Rejects with ProviderError;
   * with Interrupt when `signal` aborts.
   */
  async list(connection: Connection, signal: AbortSignal): Promise<ModelEntry[]> {
    const { apiKey, profiles, host } = this.#deps;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
    const { editorModels } = host;
    const fetch = fetchFor(host, connection);
    const endpoint = { connection, model: "", apiKey: await apiKey(connection), fetch, editorModels };
    const models = await apis[connection.api].listModels(endpoint, limit);
    const allowed = models.filter(({ id }) => allowsModel(host.policy?.models, id));
    return allowed.map(({ id, title, facts, provisional }) => {
      const profile = profiles.of({ connection, model: id });
      profile.learnListed(facts, provisional);
      const name = modelName({ connection, model: id });
      return { name, ...(title === undefined ? {} : { title }), facts: profile.facts };
    });
  }

  /** Returns what is known now, without asking the endpoint. */
  facts(choice: ModelChoice): ModelFacts {
    return this.#deps.profiles.of(choice).facts;
  }
}
