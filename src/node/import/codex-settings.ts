/** Reads the user's settings of Codex: MCP servers, the model, and when it asks. */
import path from "node:path";
import type { ForeignSetting, ForeignSettingsFile } from "../../core/foreign-settings/foreign-setting.ts";
import { type Fields, fieldsSchema, nonEmptyText } from "../../core/sessions/import/values.ts";
import * as z from "../../shared/zod.ts";
import { droppedOf, objectEntries, serverSetting } from "./foreign-servers.ts";
import type { FindProblem } from "./found-session.ts";
import type { SettingsPlaces } from "./settings-places.ts";
import { settingsText } from "./settings-text.ts";

export async function codexSettings(
  { environment, home }: SettingsPlaces,
  problems: FindProblem[],
): Promise<ForeignSettingsFile[]> {
  const file = path.join(environment.CODEX_HOME || path.join(home, ".codex"), "config.toml");
  const fields = await tomlSettings(file, problems);
  if (!fields) return [];
  const model = nonEmptyText(fields.model);
  const maker = nonEmptyText(fields.model_provider) ?? "openai";
  const settings: ForeignSetting[] = [
    ...objectEntries(fields.mcp_servers).map(([name, entry]) => codexServer(name, entry)),
    ...(model === undefined ? [] : [{ kind: "model" as const, name: `model: ${model}`, maker, id: model }]),
    ...["approval_policy", "sandbox_mode"].flatMap((key) => levelSetting(key, fields[key])),
  ];
  return [{ product: "codex", file, isOfProject: false, settings }];
}

async function tomlSettings(file: string, problems: FindProblem[]): Promise<Fields | undefined> {
  const text = await settingsText(file, { problems });
  if (text === undefined) return undefined;
  // Loaded on demand, because no other agent has such files.
  const { parse, TomlError } = await import("smol-toml");
  try {
    return fieldsSchema.parse(parse(text, { maxDepth: 50 }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    problems.push({ path: file, code: "unreadable" });
    return undefined;
  }
}

function levelSetting(key: string, value: unknown): ForeignSetting[] {
  if (value === undefined) return [];
  const shown = typeof value === "string" ? `${key}: ${value}` : key;
  return [{ kind: "other", name: shown, why: { code: "level", value: "" } }];
}

const KNOWN = new Set([
  ...["command", "args", "env", "env_vars", "cwd", "url", "bearer_token_env_var", "http_headers"],
  ...[
    "env_http_headers",
    "enabled",
    "required",
    "tool_timeout_sec",
    "startup_timeout_sec",
    "startup_timeout_ms",
  ],
]);
const namesSchema = z.catch(z.array(z.unknown()), []);
const textsSchema = z.catch(z.record(z.string(), z.string()), {});

function codexServer(name: string, fields: Fields): ForeignSetting {
  const { command, args, cwd, url, bearer_token_env_var: bearer } = fields;
  const passed = namesSchema
    .parse(fields.env_vars)
    .flatMap(
      (each) => nonEmptyText(typeof each === "string" ? each : fieldsSchema.safeParse(each).data?.name) ?? [],
    );
  const env = {
    ...fieldsSchema.safeParse(fields.env).data,
    ...Object.fromEntries(passed.map((variable) => [variable, variableOf(variable)])),
  };
  const headers = {
    ...fieldsSchema.safeParse(fields.http_headers).data,
    ...Object.fromEntries(
      Object.entries(textsSchema.parse(fields.env_http_headers)).map(([header, variable]) => [
        header,
        variableOf(variable),
      ]),
    ),
    ...(typeof bearer === "string" ? { Authorization: `Bearer ${variableOf(bearer)}` } : {}),
  };
  return serverSetting(name, {
    ...{ command, args, cwd, url, timeout: fields.tool_timeout_sec, disabled: fields.enabled === false },
    ...(url === undefined ? { env } : { headers }),
    dropped: droppedOf(fields, KNOWN),
  });
}

const variableOf = (name: string) => `\${env:${name}}`;
