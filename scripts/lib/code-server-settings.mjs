// Settings files of a VS Code server.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";

/**
 * Settings of a quiet workbench: nothing pops up, nothing asks the network, nothing changes by itself.
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
  "remote.restoreForwardedPorts": false,
  "window.autoDetectColorScheme": false,
};

/**
 * Writes the settings files: quiet ones and `settings` over them. A setting that our manifest declares for the machine
 * goes into the machine's file, for VS Code ignores it elsewhere; every other one is the user's.
 * @param {string} userDataDir
 * @param {Record<string, unknown>} settings
 */
export async function writeAllSettings(userDataDir, settings) {
  const machine = await machineSettings();
  const scoped = Object.entries({ ...QUIET_SETTINGS, ...settings });
  const files = {
    User: scoped.filter(([name]) => !machine.has(name)),
    Machine: scoped.filter(([name]) => machine.has(name)),
  };
  for (const [scope, entries] of Object.entries(files)) {
    await mkdir(path.join(userDataDir, scope), { recursive: true });
    const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
    await writeFile(path.join(userDataDir, scope, "settings.json"), text);
  }
}

/** The names of our settings that a workspace cannot set. @returns {Promise<Set<string>>} */
async function machineSettings() {
  const manifest = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  const configuration = [manifest.contributes?.configuration ?? []].flat();
  /** @type {[string, { scope?: string }][]} */
  const properties = configuration.flatMap((section) => Object.entries(section.properties ?? {}));
  return new Set(
    properties.filter(([, property]) => /^machine/.test(property.scope ?? "")).map(([name]) => name),
  );
}
