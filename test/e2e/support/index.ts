// The end-to-end tests' only import: opens windows, closes them, and saves traces of failures.
//
//   const vscode = await openWorkbench({ files: { "neko.txt": "..." }, modelServer: { baseUrl } });
//   const panel = await vscode.openPanel();
//   await panel.getByTestId("chat-input").fill("...");
//
// Every window has a workspace folder, a browser profile and settings of its own. Windows that a test leaves open are
// closed at the end of its file (hooks.ts), all but the usual one (usual-window.ts); servers and the browser serve the next
// file. Wait with locators (`waitFor`), never with time.
import { type Browser, chromium } from "playwright-core";
import { inject, type TestContext } from "vitest";
import { CHROMIUM_FLAGS } from "../../../scripts/lib/chromium.mjs";
import { failureFolder } from "./results.ts";
import { API_KEY, leaseServer, stopSpareServers } from "./servers.ts";
import { Workbench } from "./workbench.ts";
import { createWorkspace } from "./workspace.ts";

export { Workbench } from "./workbench.ts";

export interface WorkbenchOptions {
  /** Files of the workspace, by their path in it. */
  files?: Record<string, string | Uint8Array>;
  /** Name of the workspace folder; default "project". */
  name?: string;
  /** The workspace is a git repository with one commit. */
  git?: boolean;
  /** Folders of the workspace that are its roots, in place of the whole. */
  roots?: string[];
  /** A window without any folder. */
  empty?: boolean;
  /** Where the agent's model is; `apiKey` default API_KEY, "" for none. */
  modelServer?: { baseUrl: string; model?: string; apiKey?: string };
  /** Settings of any scope. */
  settings?: Record<string, unknown>;
  theme?: "dark" | "light" | "high-contrast";
  /** Display language as extensions see it; VS Code's own words stay English, for no language pack is at hand. */
  language?: "ja";
  /** Size of the window in pixels; default 1280 by 800. */
  width?: number;
  height?: number;
  /** false: VS Code asks whether the workspace is trusted; default true. */
  trust?: boolean;
  env?: Record<string, string>;
  /** The administrator's policy of the computer, as text. Linux only: see `managed-machine.ts`. */
  policy?: string;
  /** Storage is empty: nothing that an earlier window stored is there. */
  fresh?: boolean;
  /** The window stays open at the end of its file; its folder ends with the run. */
  kept?: boolean;
}

const THEMES = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  "high-contrast": "Default High Contrast",
};

type Task = TestContext["task"];

const open = new Set<Workbench>();
let browser: Promise<Browser> | undefined;
/** The window that the file's next test may take over, and what it was opened with. */
let shared: { key: string; workbench: Workbench } | undefined;
/** The window that stays open from file to file, until a test in which it was used fails. */
let kept: Workbench | undefined;
/** The test that runs now. */
let running: Task | undefined;
/** How many windows of this test have traces. */
let saved = 0;
const savedFor = new WeakMap<Workbench, Task>();

/** Opens a VS Code window and resolves when it shows the Nekode icon in its activity bar. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { modelServer, width = 1280, height = 800 } = options;
  const leased = await leaseServer({
    settings: {
      "workbench.colorTheme": THEMES[options.theme ?? "dark"],
      ...(modelServer && {
        "nekode.provider.baseUrl": modelServer.baseUrl,
        "nekode.provider.model": modelServer.model ?? "scripted",
      }),
      ...options.settings,
    },
    trust: options.trust ?? true,
    env: { ...(modelServer && { NEKODE_API_KEY: modelServer.apiKey ?? API_KEY }), ...options.env },
    policy: options.policy,
    fresh: options.fresh ?? false,
  });
  const workspace = options.empty
    ? undefined
    : await createWorkspace(
        options.name ?? "project",
        options.files ?? {},
        options.git ?? false,
        options.roots,
        options.kept ? inject("folder") : undefined,
      );
  browser ??= chromium.launch({ executablePath: inject("chromium"), args: CHROMIUM_FLAGS });
  const context = await (await browser).newContext({
    viewport: { width, height },
    permissions: ["clipboard-read", "clipboard-write"],
    // The server would compress the workbench's 15 MB for every window anew.
    extraHTTPHeaders: { "accept-encoding": "identity" },
  });
  context.setDefaultTimeout(60_000);
  if (options.language)
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)};`);
  const workbench = new Workbench(await context.newPage(), workspace, context, leased, async () => {
    if (running?.result?.state === "fail") await saveTraces(workbench, running);
  });
  open.add(workbench);
  try {
    await workbench.load();
  } catch (error) {
    const folder = failureFolder(`window ${running?.name ?? ""}`);
    await workbench.saveTraces(folder);
    throw new Error(`The window did not come up; see ${folder}`, { cause: error });
  }
  return workbench;
}

/**
 * The window of the file's test before, if it was opened so and that test passed, with these files and a new task; else
 * a new one. A window takes seconds to come up.
 */
export async function shareWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { files = {}, ...rest } = options;
  const key = JSON.stringify(rest);
  if (shared?.key === key && !shared.workbench.isClosed) {
    const { workbench } = shared;
    await workbench.startOver();
    for (const [name, content] of Object.entries(files)) await workbench.workspace?.write(name, content);
    return workbench;
  }
  await shared?.workbench.close();
  shared = undefined;
  const workbench = await openWorkbench(options);
  shared = { key, workbench };
  return workbench;
}

/** The window that stays open from file to file; another one after a test of it has failed. */
export async function keepWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  if (kept === undefined || kept.isClosed) kept = await openWorkbench({ ...options, kept: true });
  open.add(kept);
  return kept;
}

/** Another window on the same folder and the same server, in a browser profile of its own. */
export async function openAnotherWindow(workbench: Workbench): Promise<Workbench> {
  const other = await workbench.sibling();
  open.add(other);
  return other;
}

/** Saves what helps to understand why the running test failed. Once a window and test. */
async function saveTraces(workbench: Workbench, task: Task): Promise<void> {
  if (savedFor.get(workbench) === task) return;
  savedFor.set(workbench, task);
  const names = [task.suite?.name ?? "", task.name, saved++ === 0 ? "" : String(saved)];
  const folder = failureFolder(names.filter((name) => name !== "").join(" "));
  await workbench.saveTraces(folder);
  process.stdout.write(`Screenshot and logs of the failed test "${task.name}": ${folder}\n`);
}

/** What the hooks of every file call. */
export function testBegins(task: Task): void {
  running = task;
  saved = 0;
}

/** A test file's own hooks come before this one, and may close windows: `closing` saves their traces. */
export async function testEnded(task: Task): Promise<void> {
  for (const workbench of open) {
    if (workbench.isClosed) open.delete(workbench);
    else if (task.result?.state === "fail") await saveTraces(workbench, task);
  }
  if (kept && open.has(kept) && task.result?.state === "fail") await kept.close();
  if (shared && task.result?.state === "fail") shared.key = "";
  running = undefined;
}

export async function fileEnded(): Promise<void> {
  await Promise.all([...open].map((each) => each === kept || each.close().catch(() => {})));
  open.clear();
  shared = undefined;
  await stopSpareServers();
}
