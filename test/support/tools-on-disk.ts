/** The tools on a real folder: real files, a real shell, real search. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { onTestFinished } from "vitest";
import { ToolError } from "../../src/core/errors.ts";
import { TaskBrowser } from "../../src/core/tools/browser/task-browser.ts";
import { ToolRegistry } from "../../src/core/tools/registry.ts";
import type { RunContext, ToolContext } from "../../src/core/tools/tool.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { neverAborted, temporaryFolder } from "../unit/node/support.ts";
import { createNodeHost, type NodeHostOptions } from "./node-host.ts";
import { taskPages } from "./task-pages.ts";

interface ProjectOptions {
  settings?: unknown;
  host?: Partial<Pick<NodeHostOptions, "shell" | "environment">>;
}

export async function project(options: ProjectOptions = {}) {
  const folder = await temporaryFolder();
  const root = path.join(folder, "project");
  await mkdir(root);
  const packages = path.join(import.meta.dirname, "../../node_modules");
  const { host } = createNodeHost({
    // Tests ask what the judge says.
    hasSandbox: false,
    root,
    dataDir: path.join(folder, "data"),
    assetsDir: path.join(packages, "@vscode/tree-sitter-wasm/wasm"),
    ...(options.host ?? { shell: "/bin/bash" }),
    log: { info: () => undefined, error: () => undefined },
  });
  onTestFinished(() => host.shell.dispose());
  const settings = settingsSchema.parse(options.settings ?? { context: { maxResultCharacters: 10_000 } });
  const context: ToolContext = {
    host,
    settings: () => settings,
    mode: () => "act",
    seen: new Map(),
    pages: taskPages(host, { settings }),
    seesImages: () => true,
    browser: new TaskBrowser({}),
    editAllowed: async () => true,
    unreadable: async () => undefined,
    sessionId: () => "session",
    signal: neverAborted,
  };
  const registry = new ToolRegistry();
  /** What the model would receive; a refusal starts with "refused: ". */
  const call = async (
    name: string,
    params: Record<string, unknown>,
    running: Partial<RunContext> = {},
  ): Promise<string> => {
    try {
      const tool = registry.find(name);
      const invocation = await tool?.prepare(params, context);
      const output = await invocation?.run({
        signal: neverAborted,
        onOutput: () => undefined,
        ask: async () => ({ action: "cancel" }),
        callId: "call",
        isRestored: false,
        propose: async () => ({ type: "rejected", comment: undefined }),
        ...running,
      });
      const parts = output?.parts ?? [];
      return parts.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`)).join("\n");
    } catch (error) {
      if (error instanceof ToolError) return `refused: ${error.message}`;
      throw error;
    }
  };
  return { root, host, context, registry, call, at: (name: string) => path.join(root, name) };
}
