/** Reads the user's settings of Cline, Roo Code, Zoo Code and Kilo Code, as far as they are in files. */
import path from "node:path";
import type { ForeignSetting, ForeignSettingsFile } from "../../core/foreign-settings/foreign-setting.ts";
import { fieldsSchema, nonEmptyText } from "../../core/sessions/import/values.ts";
import * as z from "../../shared/zod.ts";
import { isFolder } from "../files/fs-errors.ts";
import { type EditorUserFile, editorUserFiles } from "./editor-user-files.ts";
import { extensionFolders, SETTING_PREFIXES, type TaskProduct } from "./extension-folders.ts";
import { filesIn } from "./folder-entries.ts";
import { foreignServers } from "./foreign-servers.ts";
import type { FindProblem } from "./found-session.ts";
import type { SettingsPlaces } from "./settings-places.ts";
import { jsonSettings, settingsText, yamlSettings } from "./settings-text.ts";

/** Files of MCP servers and modes, in the extension's folder. */
const SERVER_FILES = ["cline_mcp_settings.json", "mcp_settings.json"];
const MODE_FILES = ["custom_modes.yaml", "custom_modes.json", "cline_custom_modes.json"];
/** Where Cline has the user's rules, in the home folder. */
const CLINE_RULES = [".cline/rules", "Documents/Cline/Rules", "Cline/Rules"];
const LARGEST_RULES = 100 * 1024;

export function extensionSettings(product: TaskProduct) {
  return async (places: SettingsPlaces, problems: FindProblem[]): Promise<ForeignSettingsFile[]> => {
    const found: FoundSettings[] = [];
    const editors = await editorUserFiles(places, problems);
    for (const folder of extensionFolders(product, places, editors))
      if (await isFolder(folder)) found.push(...(await settingsInFolder(folder, problems)));
    found.push(
      ...editors.map((editor) => ({ file: editor.file, settings: commandSettings(product, editor) })),
    );
    if (product === "cline")
      for (const place of CLINE_RULES)
        found.push(...(await rulesIn(path.join(places.home, place), problems)));
    return found
      .filter(({ settings }) => settings.length > 0)
      .map((file) => ({ product, isOfProject: false, ...file }));
  };
}

type FoundSettings = Pick<ForeignSettingsFile, "file" | "settings">;

/** `folder`: of the extension. */
async function settingsInFolder(folder: string, problems: FindProblem[]): Promise<FoundSettings[]> {
  const found: FoundSettings[] = [];
  for (const name of SERVER_FILES) {
    const file = path.join(folder, "settings", name);
    const servers = (await jsonSettings(file, { problems }))?.mcpServers;
    found.push({ file, settings: foreignServers(servers, "seconds") });
  }
  for (const name of MODE_FILES) {
    const file = path.join(folder, "settings", name);
    found.push({ file, settings: modesIn((await yamlSettings(file, { problems }))?.customModes) });
  }
  const approvals = await clineApprovals(folder, problems);
  const why = { code: approvals === undefined ? "in-editor-state" : "level", value: "" };
  found.push({ file: approvals ?? folder, settings: [{ kind: "other", name: "auto-approval", why }] });
  return found;
}

async function rulesIn(folder: string, problems: FindProblem[]): Promise<FoundSettings[]> {
  const found: FoundSettings[] = [];
  for (const name of await filesIn(folder, problems)) {
    if (!/\.(?:md|txt)$/i.test(name)) continue;
    const file = path.join(folder, name);
    const text = await settingsText(file, { problems, largest: LARGEST_RULES });
    if (text?.trim()) found.push({ file, settings: [{ kind: "rules", name, text }] });
  }
  return found;
}

const listSchema = z.catch(z.array(z.unknown()), []);

function modesIn(modes: unknown): ForeignSetting[] {
  return listSchema.parse(modes).flatMap((mode): ForeignSetting[] => {
    const fields = fieldsSchema.safeParse(mode).data;
    const name = nonEmptyText(fields?.slug);
    return fields && name !== undefined ? [{ kind: "agent", name, format: "roo", fields }] : [];
  });
}

/** The file with what Cline's terminal program approves; in an editor, that is in the editor's own state. */
async function clineApprovals(folder: string, problems: FindProblem[]): Promise<string | undefined> {
  for (const name of ["globalState.json", path.join("settings", "global-settings.json")]) {
    const file = path.join(folder, name);
    if ((await jsonSettings(file, { problems }))?.autoApprovalSettings !== undefined) return file;
  }
  return undefined;
}

/** The lists of Roo Code, Zoo Code and Kilo Code in the editor's settings, which compare the beginnings of commands. */
function commandSettings(product: TaskProduct, { settings }: EditorUserFile): ForeignSetting[] {
  const prefix = SETTING_PREFIXES[product];
  if (prefix === undefined) return [];
  const rules = [
    { key: `${prefix}.deniedCommands`, action: "deny" },
    { key: `${prefix}.allowedCommands`, action: "allow" },
  ] as const;
  return rules.flatMap(({ key, action }) =>
    listSchema
      .parse(settings[key])
      .flatMap((text): ForeignSetting[] =>
        typeof text === "string" && text.trim() !== ""
          ? [{ kind: "rule", action, name: `${action}: ${text}`, command: { form: "beginning", text } }]
          : [],
      ),
  );
}
