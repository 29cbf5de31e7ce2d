/** One call of one tool on a host in memory: prepared and run, as the dispatcher does once it is allowed. */

import { ToolError } from "../../../../src/core/errors.ts";
import type { TaskPages } from "../../../../src/core/task-pages.ts";
import { TaskBrowser } from "../../../../src/core/tools/browser/task-browser.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import type { CallPreview, Invocation, ToolContext, ToolOutput } from "../../../../src/core/tools/tool.ts";
import type { Mode } from "../../../../src/shared/message.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { type MemoryHost, type MemoryOptions, memoryHost } from "../../../support/memory-host.ts";
import { taskPages } from "../../../support/task-pages.ts";

export interface ToolRun {
  memory: MemoryHost;
  invocation: Invocation | undefined;
  output: ToolOutput | undefined;
  /** Of the output, its texts; "" where it failed. */
  text: string;
  /** What the model is told where it failed. */
  error: string;
}

export interface RunOptions extends MemoryOptions {
  settings?: Record<string, unknown>;
  mode?: Mode;
  signal?: AbortSignal;
  memory?: MemoryHost;
  /** Default: the model sees images. */
  seesImages?: boolean;
  /** Why this absolute path may not be read without approval. Default: all may. */
  unreadable?: (path: string) => string | undefined;
  /** Default: the built-in tools. */
  registry?: ToolRegistry;
  /** The pages of the task, for several calls of one. */
  pages?: TaskPages;
  /** Between the proposal and the run. */
  meanwhile?: (memory: MemoryHost, preview?: CallPreview) => void | Promise<void>;
  /** The run is rejected. */
  rejected?: boolean;
  /** Indexes of what the user leaves out. */
  left?: readonly number[];
}

function contextOf(memory: MemoryHost, options: RunOptions = {}): ToolContext {
  const signal = options.signal ?? new AbortController().signal;
  const settings = settingsSchema.parse(options.settings ?? {});
  return {
    host: memory.host,
    settings: () => settings,
    mode: () => options.mode ?? "act",
    seen: new Map(),
    pages: options.pages ?? taskPages(memory.host, { settings }),
    seesImages: () => options.seesImages ?? true,
    browser: new TaskBrowser({}),
    editAllowed: async () => false,
    unreadable: async (path) => options.unreadable?.(path),
    sessionId: () => "session",
    signal,
  };
}

export async function runTool(
  name: string,
  params: Record<string, unknown>,
  options: RunOptions = {},
): Promise<ToolRun> {
  const memory = options.memory ?? memoryHost(options);
  const context = contextOf(memory, options);
  const tool = (options.registry ?? new ToolRegistry()).find(name);
  if (!tool) throw new Error(`no tool ${name}`);
  const run: ToolRun = { memory, invocation: undefined, output: undefined, text: "", error: "" };
  try {
    const parsed = tool.input.parse(params);
    if (!parsed.ok) throw new ToolError(parsed.error);
    run.invocation = await tool.prepare(parsed.value, context);
    await options.meanwhile?.(memory, run.invocation.preview);
    if (options.rejected) {
      await run.invocation.discard?.();
      return run;
    }
    run.output = await run.invocation.run({
      signal: context.signal,
      ...(options.left ? { excludedHunks: options.left } : {}),
      onOutput: () => undefined,
      ask: async () => ({ action: "cancel" }),
      callId: "call",
      isRestored: false,
      propose: async () => ({ type: "rejected", comment: undefined }),
    });
    run.text = run.output.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    run.error = error.message;
  }
  return run;
}
