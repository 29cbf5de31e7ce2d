/** Requests to models, as far as the administrator's policy allows them. */
import { ProviderError } from "../../errors.ts";
import type { AdminPolicy } from "../../policy/admin-policy.ts";
import { allowsAddress, allowsEditorModels, allowsModel } from "../../policy/endpoint-patterns.ts";
import type { EditorModels } from "../../ports/editor-models.ts";
import type { Fetch } from "../../ports/web.ts";

type Allowed = Pick<AdminPolicy, "endpoints" | "models" | "managedBy">;

/** Judges each request as it is sent: its address, and the model that its body names. Rejects with ProviderError. */
export function managedFetch(policy: Allowed, send: Fetch): Fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!allowsAddress(policy.endpoints, address)) {
      const subject = URL.canParse(address) ? new URL(address).origin : address;
      throw new ProviderError({ code: "managed-endpoint", subject, detail: policy.managedBy });
    }
    const model = policy.models === undefined ? undefined : modelIn(init?.body);
    if (model !== undefined) checkModelName(policy, model);
    return send(input, init);
  };
}

/** The models that the editor offers have no address. */
export function managedEditorModels(policy: Allowed | undefined, models: EditorModels): EditorModels {
  if (!policy) return models;
  const isAllowed = allowsEditorModels(policy.endpoints);
  return {
    async list() {
      const listed = isAllowed ? await models.list() : [];
      return listed.filter(({ id }) => allowsModel(policy.models, id));
    },
    async *send(model, request, signal) {
      if (!isAllowed)
        throw new ProviderError({ code: "managed-endpoint", subject: "VS Code", detail: policy.managedBy });
      checkModelName(policy, model);
      yield* models.send(model, request, signal);
    },
    onChange: models.onChange,
  };
}

function checkModelName({ models, managedBy }: Allowed, model: string): void {
  if (!allowsModel(models, model))
    throw new ProviderError({ code: "managed-model", subject: model, detail: managedBy });
}

/** The model that the body of a request names; undefined: it names none. All bodies are JSON text. */
function modelIn(body: unknown): string | undefined {
  if (typeof body !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("model" in parsed)) return undefined;
    return typeof parsed.model === "string" ? parsed.model : "";
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
