/** Reads settings of Claude Code: permissions, the model, and the user's MCP servers. Of `.claude.json`, only the servers. */
import path from "node:path";
import type {
  CommandPattern,
  ForeignSetting,
  ForeignSettingsFile,
  RuleAction,
} from "../../core/foreign-settings/foreign-setting.ts";
import { type Fields, fieldsSchema, nonEmptyText } from "../../core/sessions/import/values.ts";
import * as z from "../../shared/zod.ts";
import { foreignServers } from "./foreign-servers.ts";
import type { FindProblem } from "./found-session.ts";
import type { SettingsPlaces } from "./settings-places.ts";
import { jsonSettings } from "./settings-text.ts";

/** Bytes of `.claude.json`, which also has what its projects did last. */
const LARGEST_STATE = 64 * 1024 * 1024;

export async function claudeSettings(
  { environment, home, projectRoot }: SettingsPlaces,
  problems: FindProblem[],
): Promise<ForeignSettingsFile[]> {
  const folder = environment.CLAUDE_CONFIG_DIR || path.join(home, ".claude");
  const state = path.join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json");
  const files: ForeignSettingsFile[] = [];
  const add = async (file: string, within?: string) => {
    const fields = await jsonSettings(file, { problems, ...(within === undefined ? {} : { within }) });
    if (!fields) return;
    const isOfProject = within !== undefined;
    files.push({ product: "claude", file, isOfProject, settings: settingsIn(fields, isOfProject) });
  };
  await add(path.join(folder, "settings.json"));
  if (projectRoot !== undefined && path.join(projectRoot, ".claude") !== path.resolve(folder))
    for (const name of ["settings.json", "settings.local.json"])
      await add(path.join(projectRoot, ".claude", name), projectRoot);
  const own = await jsonSettings(state, { problems, largest: LARGEST_STATE });
  if (own)
    files.push({ product: "claude", file: state, isOfProject: false, settings: serversIn(own, projectRoot) });
  return files;
}

/** Those for all projects, and those for this one. */
function serversIn({ mcpServers, projects }: Fields, projectRoot: string | undefined): ForeignSetting[] {
  const here = Object.entries(fieldsSchema.safeParse(projects).data ?? {}).flatMap(([folder, project]) =>
    projectRoot !== undefined && path.resolve(folder) === path.resolve(projectRoot)
      ? foreignServers(fieldsSchema.safeParse(project).data?.mcpServers, "other")
      : [],
  );
  return [...foreignServers(mcpServers, "other"), ...here];
}

const listSchema = z.catch(z.array(z.unknown()), []);

function settingsIn(fields: Fields, isOfProject: boolean): ForeignSetting[] {
  const permissions = fieldsSchema.safeParse(fields.permissions).data ?? {};
  const rules = (["deny", "ask", "allow"] as const).flatMap((action) =>
    listSchema
      .parse(permissions[action])
      .flatMap((rule) => (typeof rule === "string" ? [claudeRule(rule, action)] : [])),
  );
  const mode = nonEmptyText(permissions.defaultMode);
  const model = nonEmptyText(fields.model);
  return [
    ...rules,
    ...(mode === undefined || mode === "default"
      ? []
      : [other("defaultMode", isOfProject ? "of-project" : "level", mode)]),
    ...(permissions.additionalDirectories === undefined
      ? []
      : [other("additionalDirectories", "no-counterpart", "")]),
    ...(model === undefined ? [] : [modelIn(model)]),
  ];
}

function modelIn(model: string): ForeignSetting {
  return /^claude-[\w.-]+$/.test(model)
    ? { kind: "model", name: "model", maker: "anthropic", id: model }
    : other("model", "model-alias", model);
}

function other(name: string, code: string, value: string): ForeignSetting {
  return { kind: "other", name: value === "" ? name : `${name}: ${value}`, why: { code, value: "" } };
}

function claudeRule(rule: string, action: RuleAction): ForeignSetting {
  const [, tool = "", specifier] = /^\s*([\w*-]+)\s*(?:\((.*)\))?\s*$/s.exec(rule) ?? [];
  const name = `${action}: ${rule}`;
  if (tool === "Bash") return { kind: "rule", action, name, command: commandIn(specifier ?? "*") };
  return { kind: "other", name, why: { code: codeFor(tool), value: "" } };
}

function codeFor(tool: string): string {
  if (tool.startsWith("mcp__")) return "tool-rule";
  if (/^(?:Read|Edit|Write|MultiEdit|NotebookEdit|Glob|Grep|LS)$/.test(tool)) return "files-rule";
  return /^Web(?:Fetch|Search)$/.test(tool) ? "web-rule" : "no-counterpart";
}

/** `npm test`, `npm run test:*`, `npm run test *`, `git * main`. */
function commandIn(specifier: string): CommandPattern {
  const [, words] = /^([^*]+?)(?::\*| \*)$/.exec(specifier) ?? [];
  if (words !== undefined) return { form: "words", text: words };
  return { form: specifier.includes("*") ? "glob" : "exact", text: specifier };
}
