/** Reads what the user set for GitHub Copilot in VS Code: MCP servers, and the commands that run without asking. */
import path from "node:path";
import type {
  CommandPattern,
  ForeignSetting,
  ForeignSettingsFile,
} from "../../core/foreign-settings/foreign-setting.ts";
import { fieldsSchema } from "../../core/sessions/import/values.ts";
import { editorUserFiles, editorUserFolders } from "./editor-user-files.ts";
import { foreignServers } from "./foreign-servers.ts";
import type { FindProblem } from "./found-session.ts";
import type { SettingsPlaces } from "./settings-places.ts";
import { jsonSettings } from "./settings-text.ts";

const RULES = "chat.tools.terminal.autoApprove";
/** Settings that let every tool run. */
const EVERYTHING = ["chat.tools.autoApprove", "chat.tools.global.autoApprove"];

export async function copilotSettings(
  places: SettingsPlaces,
  problems: FindProblem[],
): Promise<ForeignSettingsFile[]> {
  const files: ForeignSettingsFile[] = [];
  const add = (file: string, settings: ForeignSetting[]) => {
    if (settings.length > 0) files.push({ product: "copilot", file, isOfProject: false, settings });
  };
  for (const folder of await editorUserFolders(places)) {
    const file = path.join(folder, "mcp.json");
    add(file, serversIn(await jsonSettings(file, { problems })));
  }
  // What cannot be read was reported with the settings of the extensions.
  for (const { file, settings } of await editorUserFiles(places, []))
    add(file, [
      ...serversIn(settings.mcp),
      ...Object.entries(fieldsSchema.safeParse(settings[RULES]).data ?? {}).flatMap(([pattern, rule]) =>
        terminalRule(pattern, rule),
      ),
      ...EVERYTHING.flatMap((key): ForeignSetting[] =>
        settings[key] === true ? [{ kind: "other", name: key, why: { code: "level", value: "" } }] : [],
      ),
    ]);
  return files;
}

function serversIn(file: unknown): ForeignSetting[] {
  const { servers, inputs } = fieldsSchema.safeParse(file).data ?? {};
  const given: unknown[] = Array.isArray(inputs) ? inputs : [];
  return foreignServers(servers, "other").map((server) => ({ ...server, inputs: given }));
}

/** `false`: such a command always asks. `null`: a rule that comes with VS Code does not apply. */
function terminalRule(pattern: string, rule: unknown): ForeignSetting[] {
  const approve = typeof rule === "boolean" ? rule : fieldsSchema.safeParse(rule).data?.approve;
  if (typeof approve !== "boolean") return [];
  const action = approve ? ("allow" as const) : ("ask" as const);
  return [{ kind: "rule", action, name: `${action}: ${pattern}`, command: commandIn(pattern) }];
}

/** `npm test` also covers more words. A regular expression such as `/^npm test$/` may stand for exactly one command. */
function commandIn(pattern: string): CommandPattern {
  const [, source] = /^\/(.+)\/[a-z]*$/s.exec(pattern) ?? [];
  if (source === undefined) return { form: "words", text: pattern };
  const [, whole = ""] = /^\^(.*)\$$/s.exec(source) ?? [];
  const isExact = whole !== "" && /^(?:[\w @:,=%"'-]|\\[^\w])+$/.test(whole);
  return isExact ? { form: "exact", text: whole.replace(/\\(.)/g, "$1") } : { form: "regex", text: source };
}
