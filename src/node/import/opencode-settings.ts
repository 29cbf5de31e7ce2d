/** Reads the user's settings of opencode: MCP servers, permissions, agents and the model. */
import path from "node:path";
import type {
  CommandPattern,
  ForeignSetting,
  ForeignSettingsFile,
  RuleAction,
} from "../../core/foreign-settings/foreign-setting.ts";
import { type Fields, fieldsSchema, nonEmptyText } from "../../core/sessions/import/values.ts";
import * as z from "../../shared/zod.ts";
import { droppedOf, objectEntries, serverSetting } from "./foreign-servers.ts";
import type { FindProblem } from "./found-session.ts";
import type { SettingsPlaces } from "./settings-places.ts";
import { jsonSettings } from "./settings-text.ts";

const NAMES = ["config.json", "opencode.json", "opencode.jsonc"];

export async function opencodeSettings(
  { environment, home }: SettingsPlaces,
  problems: FindProblem[],
): Promise<ForeignSettingsFile[]> {
  const { OPENCODE_CONFIG, OPENCODE_CONFIG_DIR, XDG_CONFIG_HOME } = environment;
  const folder = path.join(XDG_CONFIG_HOME || path.join(home, ".config"), "opencode");
  const places = [folder, ...(OPENCODE_CONFIG_DIR ? [OPENCODE_CONFIG_DIR] : [])].flatMap((place) =>
    NAMES.map((name) => path.join(place, name)),
  );
  const files: ForeignSettingsFile[] = [];
  for (const file of [...places, ...(OPENCODE_CONFIG ? [OPENCODE_CONFIG] : [])]) {
    const fields = await jsonSettings(file, { problems });
    if (fields)
      files.push({
        product: "opencode",
        file,
        isOfProject: false,
        precedence: "last",
        settings: settingsIn(fields),
      });
  }
  return files;
}

function settingsIn(fields: Fields): ForeignSetting[] {
  const model = nonEmptyText(fields.model);
  const slash = model?.indexOf("/") ?? -1;
  return [
    ...objectEntries(fields.mcp).map(([name, entry]) => opencodeServer(name, entry)),
    ...objectEntries({
      ...fieldsSchema.safeParse(fields.mode).data,
      ...fieldsSchema.safeParse(fields.agent).data,
    }).flatMap(([name, { disable, ...agent }]): ForeignSetting[] =>
      // Without a prompt, it only changes an agent that comes with opencode.
      disable === true || nonEmptyText(agent.prompt) === undefined
        ? []
        : [{ kind: "agent", name, format: "opencode", fields: agent }],
    ),
    ...permissionsIn(fields.permission),
    ...(model === undefined
      ? []
      : [
          {
            kind: "model" as const,
            name: `model: ${model}`,
            maker: model.slice(0, Math.max(slash, 0)),
            id: model.slice(slash + 1),
          },
        ]),
  ];
}

const actionSchema = z.enum(["allow", "ask", "deny"]);

function permissionsIn(permission: unknown): ForeignSetting[] {
  const all = actionSchema.safeParse(permission).data;
  if (all) return [rule("*", all, "permission")];
  return Object.entries(fieldsSchema.safeParse(permission).data ?? {}).flatMap(([tool, given]) => {
    const single = actionSchema.safeParse(given).data;
    const patterns = Object.entries(fieldsSchema.safeParse(given).data ?? {}).flatMap(([pattern, action]) => {
      const known = actionSchema.safeParse(action).data;
      return known ? [[pattern, known] as const] : [];
    });
    const rules = single ? [["*", single] as const] : patterns;
    return rules.map(([pattern, action]): ForeignSetting => {
      if (tool === "bash" || tool === "*") return rule(pattern, action, tool);
      const shown = single ? tool : `${tool} ${pattern}`;
      return { kind: "other", name: `${action}: ${shown}`, why: { code: codeFor(tool), value: "" } };
    });
  });
}

function rule(pattern: string, action: RuleAction, tool: string): ForeignSetting {
  return { kind: "rule", action, name: `${action}: ${tool} ${pattern}`, command: commandIn(pattern) };
}

function commandIn(pattern: string): CommandPattern {
  const [, words] = /^([^*?]+) \*$/.exec(pattern) ?? [];
  if (words !== undefined) return { form: "words", text: words };
  return { form: /[*?]/.test(pattern) ? "glob" : "exact", text: pattern };
}

function codeFor(tool: string): string {
  if (/^(?:read|edit|write|glob|grep|list|external_directory)$/.test(tool)) return "files-rule";
  if (/^(?:webfetch|websearch|codesearch)$/.test(tool)) return "web-rule";
  return tool.includes("_") ? "tool-rule" : "no-counterpart";
}

const KNOWN = new Set(["type", "command", "environment", "enabled", "timeout", "url", "headers", "cwd"]);
const wordsSchema = z.catch(z.array(z.string()), []);

function opencodeServer(name: string, fields: Fields): ForeignSetting {
  const [command, ...args] = wordsSchema.parse(fields.command).map(ownVariables);
  const { url, cwd } = fields;
  const known = {
    ...(command === undefined ? {} : { command, args, env: valuesIn(fields.environment) }),
    ...(url === undefined ? {} : { url: typeof url === "string" ? ownVariables(url) : url }),
    ...(url === undefined ? {} : { headers: valuesIn(fields.headers) }),
  };
  return serverSetting(name, {
    ...known,
    ...(cwd === undefined ? {} : { cwd }),
    disabled: fields.enabled === false,
    dropped: droppedOf(fields, KNOWN),
  });
}

function valuesIn(values: unknown): Fields {
  const fields = fieldsSchema.safeParse(values).data ?? {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? ownVariables(value) : value,
    ]),
  );
}

/** `{env:NAME}` is `${env:NAME}` here. */
function ownVariables(text: string): string {
  return text.replace(/\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${env:${name}}`);
}
