// Settings files of a VS Code server.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";

/**
 * Settings of a quiet workbench: no popups, no network requests, no automatic changes.
 * @type {Readonly<Record<string, unknown>>}
 */
const QUIET_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.enableExperiments": false,
  "workbench.settings.enableNaturalLanguageSearch": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.autofetch": false,
  "git.openRepositoryInParentFolders": "never",
  "typescript.disableAutomaticTypeAcquisition": true,
  "npm.fetchOnlinePackageInfo": false,
  "json.schemaDownload.enable": false,
  "remote.autoForwardPorts": false,
  "remote.autoForwardPortsSource": "output",
  "remote.restoreForwardedPorts": false,
  "window.autoDetectColorScheme": false,
};

/**
 * Writes the settings files: the quiet settings, overridden by `settings`. A setting that our manifest declares with
 * machine scope goes into the machine settings, because VS Code ignores it elsewhere; all others go into the user
 * settings.
 * @param {string} userDataDir
 * @param {Record<string, unknown>} settings
 * @param {{ keep?: boolean, desktop?: boolean }} [options] keep: keeps the previous content of the files, under `settings`;
 * desktop: for a desktop window, which has no machine's file of its own
 */
export async function writeAllSettings(userDataDir, settings, { keep = false, desktop = false } = {}) {
  const machine = desktop ? new Set() : await machineSettings();
  for (const scope of ["User", "Machine"]) {
    const before = keep ? await readSettings(userDataDir, scope) : {};
    // An old setting is better than a lost file.
    if (before === undefined) continue;
    const ours = Object.entries({ ...QUIET_SETTINGS, ...(scope === "User" ? before : {}), ...settings });
    const entries = ours.filter(([name]) => machine.has(name) === (scope === "Machine"));
    const text = { ...(scope === "Machine" ? before : {}), ...Object.fromEntries(entries) };
    await mkdir(path.join(userDataDir, scope), { recursive: true });
    await writeFile(path.join(userDataDir, scope, "settings.json"), `${JSON.stringify(text, null, 2)}\n`);
  }
}

/**
 * The content of a settings file: undefined when a user wrote it in a form that JSON.parse does not accept (comments).
 * @param {string} userDataDir
 * @param {string} scope
 * @returns {Promise<Record<string, unknown> | undefined>}
 */
async function readSettings(userDataDir, scope) {
  const text = await readFile(path.join(userDataDir, scope, "settings.json"), "utf8").catch(() => "{}");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The names of our settings that a workspace cannot override. @returns {Promise<Set<string>>} */
async function machineSettings() {
  const manifest = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  const configuration = [manifest.contributes?.configuration ?? []].flat();
  /** @type {[string, { scope?: string }][]} */
  const properties = configuration.flatMap((section) => Object.entries(section.properties ?? {}));
  return new Set(
    properties.filter(([, property]) => /^machine/.test(property.scope ?? "")).map(([name]) => name),
  );
}
