/** Where telemetry goes: what the administrator says, else what the user switched on. Nothing of a project decides it. */
import type { AdminPolicy } from "../../core/policy/admin-policy.ts";
import type { Settings } from "../../shared/settings.ts";

export type TelemetryTarget = { content: boolean } & (
  | { endpoint: string; headers: Readonly<Record<string, string>> }
  | { file: string }
);

/** undefined: nothing is exported. The variables of OpenTelemetry count only once the user has switched the export on. */
export function telemetryTarget(
  { telemetry }: Pick<Settings, "telemetry">,
  policy: Pick<AdminPolicy, "telemetry"> | undefined,
  environment: NodeJS.ProcessEnv,
): TelemetryTarget | undefined {
  const managed = policy?.telemetry;
  if (managed === "off") return undefined;
  if (managed) {
    const { content = false } = managed;
    return "file" in managed
      ? { file: managed.file, content }
      : { endpoint: managed.endpoint, headers: managed.headers ?? {}, content };
  }
  const { content } = telemetry;
  switch (telemetry.export) {
    case "off":
      return undefined;
    case "file":
      return telemetry.file === "" ? undefined : { file: telemetry.file, content };
    case "otlp":
      return {
        endpoint: telemetry.endpoint || environment.OTEL_EXPORTER_OTLP_ENDPOINT || "http://localhost:4318",
        headers: headersIn(environment.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
        content,
      };
  }
}

/** `key=value` pairs, separated by commas, with escapes as in URLs. */
export function headersIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      return at <= 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
