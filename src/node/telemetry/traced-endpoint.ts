/** How OpenTelemetry's conventions name the endpoint of a connection. */
import type { TracedEndpoint } from "../../core/telemetry/task-telemetry.ts";
import type { Connection } from "../../shared/models/connection.ts";

/** The well-known providers, by the end of their hosts' names. */
const PROVIDERS: readonly (readonly [host: string, provider: string])[] = [
  ["api.openai.com", "openai"],
  ["openai.azure.com", "azure.ai.openai"],
  ["api.anthropic.com", "anthropic"],
  ["generativelanguage.googleapis.com", "gcp.gemini"],
  ["api.mistral.ai", "mistral_ai"],
  ["api.deepseek.com", "deepseek"],
  ["api.groq.com", "groq"],
  ["api.x.ai", "x_ai"],
  ["api.moonshot.ai", "moonshot_ai"],
];

/** What the address contains beside its host and port is left out. */
export function tracedEndpoint(connection: Connection): TracedEndpoint {
  if (connection.api === "editor") return { provider: "vscode" };
  const provider = connection.api === "anthropic" ? "anthropic_compatible" : "openai_compatible";
  if (!URL.canParse(connection.baseUrl)) return { provider };
  const { hostname, port, protocol } = new URL(connection.baseUrl);
  const known = PROVIDERS.find(([host]) => hostname === host || hostname.endsWith(`.${host}`));
  const usual = protocol === "https:" ? 443 : 80;
  return { provider: known?.[1] ?? provider, address: hostname, port: port === "" ? usual : Number(port) };
}
