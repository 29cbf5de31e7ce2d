/** `Nekode: Copy Report for an Issue`: the report of `nekode doctor --report` for this window. */
import * as vscode from "vscode";
import type { Host } from "../core/ports/host.ts";
import { defaultConfigDir } from "../node/config/config-dir.ts";
import { createServerConfig } from "../node/config/server-setup.ts";
import { gatherIssueReport } from "../node/gather-report.ts";
import { defaultDataDir } from "../node/store/project-store.ts";
import type { Config } from "./editor-settings.ts";

export interface IssueReportParts {
  host: Pick<Host, "clock" | "log" | "plugins" | "programs" | "shell" | "system" | "workspace">;
  config: Pick<Config, "apiKey" | "secrets" | "settings">;
  /** The keys of all search providers. */
  searchKeys(): Promise<string[]>;
  /** Shows a text in an editor, read-only. */
  show(name: string, text: string): Promise<void>;
  version: string;
}

/** Copies the report, and offers to show it. Sends nothing. */
export async function copyReport(parts: IssueReportParts): Promise<void> {
  const text = await windowReport(parts);
  await vscode.env.clipboard.writeText(text);
  const show = vscode.l10n.t("Show Report");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("The report was copied. Paste it into the issue. It contains no keys, addresses or names."),
    show,
  );
  if (chosen === show) await parts.show("nekode-report.md", text);
}

/** The report as Markdown. */
export async function windowReport({ host, config, searchKeys, version }: IssueReportParts): Promise<string> {
  const { servers } = await createServerConfig({
    workspace: host.workspace,
    configDir: defaultConfigDir(process.env),
    plugins: host.plugins,
  }).load();
  const { text } = await gatherIssueReport({
    host,
    kind: "vscode",
    version,
    settings: config.settings(),
    unknownKeys: 0,
    environment: process.env,
    language: vscode.env.language,
    dataDir: defaultDataDir(process.env),
    editor: { name: vscode.env.appName, version: vscode.version, remote: vscode.env.remoteName },
    servers,
    apiKey: (connection) => config.apiKey(connection),
    secrets: [...config.secrets(), ...(await searchKeys())],
  });
  return text;
}
