/** Finds the settings of other agents on this machine. Their files are only read. */
import type { ForeignSettingsFile } from "../../core/foreign-settings/foreign-setting.ts";
import type { SettingProduct } from "../../shared/setting-proposals.ts";
import { claudeSettings } from "./claude-settings.ts";
import { codexSettings } from "./codex-settings.ts";
import { copilotSettings } from "./copilot-settings.ts";
import { extensionSettings } from "./extension-settings.ts";
import type { FindProblem } from "./found-session.ts";
import { opencodeSettings } from "./opencode-settings.ts";
import type { SettingsPlaces } from "./settings-places.ts";

type SettingsFinder = (places: SettingsPlaces, problems: FindProblem[]) => Promise<ForeignSettingsFile[]>;

const SETTINGS_FINDERS: Readonly<Record<SettingProduct, SettingsFinder>> = {
  cline: extensionSettings("cline"),
  roo: extensionSettings("roo"),
  zoo: extensionSettings("zoo"),
  kilo: extensionSettings("kilo"),
  claude: claudeSettings,
  codex: codexSettings,
  opencode: opencodeSettings,
  copilot: copilotSettings,
};

export async function findSettings(
  products: readonly SettingProduct[],
  places: SettingsPlaces,
): Promise<{ files: ForeignSettingsFile[]; problems: FindProblem[] }> {
  const files: ForeignSettingsFile[] = [];
  const problems = new Map<string, FindProblem>();
  for (const product of products) {
    const found: FindProblem[] = [];
    files.push(...(await SETTINGS_FINDERS[product](places, found)));
    for (const problem of found) problems.set(`${problem.code} ${problem.path}`, problem);
  }
  return { files, problems: [...problems.values()] };
}
