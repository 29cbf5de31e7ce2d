// One VS Code window in a real browser, driven as a user would.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { BrowserContext, Frame, FrameLocator, Locator, Page } from "playwright-core";
import { askPalette } from "../../support/palette.ts";
import { killByHome } from "./processes.ts";
import { screenshotFile } from "./results.ts";
import type { LeasedServer } from "./servers.ts";
import type { Workspace } from "./workspace.ts";

/** How long a window or a view may take to come up, in milliseconds. */
const START_TIMEOUT = 60_000;

/** VS Code keeps the page of a hidden panel. */
const PANEL = 'iframe[src*="extensionId=nekode.nekode"]:visible';

export class Workbench {
  /** What the page's console said, for the traces of a failure. */
  readonly consoleLines: string[] = [];
  isClosed = false;
  readonly #context: BrowserContext;
  readonly #leased: LeasedServer;
  readonly #closing: () => Promise<void>;

  constructor(
    readonly page: Page,
    readonly workspace: Workspace | undefined,
    context: BrowserContext,
    leased: LeasedServer,
    closing: () => Promise<void>,
  ) {
    this.#context = context;
    this.#leased = leased;
    this.#closing = closing;
    page.on("console", (message) => this.consoleLines.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.consoleLines.push(`uncaught: ${error.stack ?? error.message}`));
    // VS Code asks before it leaves a page with unsaved work.
    page.on("dialog", (dialog) => void dialog.accept().catch(() => {}));
  }

  /** The home folder that the window's processes see. */
  get home(): string {
    return this.#leased.home;
  }

  /** VS Code's user data folder: storage of extensions is in User/globalStorage and User/workspaceStorage. */
  get userDataDir(): string {
    return this.#leased.server.userDataDir;
  }

  /** Loads the window and resolves when its parts are there. */
  async load(): Promise<void> {
    await this.page.goto(this.#address(), { waitUntil: "commit", timeout: START_TIMEOUT });
    await this.#settled();
  }

  #address(): string {
    const { server } = this.#leased;
    if (this.workspace === undefined) return `${server.url}/?ew=true`;
    const { folder, roots } = this.workspace;
    if (roots === undefined) return server.folderUrl(folder);
    return `${server.url}/?${new URLSearchParams({ workspace: roots })}`;
  }

  /** Another window on the same folder and the same server, with a browser profile of its own; to be closed first. */
  async sibling(): Promise<Workbench> {
    const context = await this.#context.browser()?.newContext({ viewport: this.page.viewportSize() });
    if (!context) throw new Error("The browser is gone");
    context.setDefaultTimeout(START_TIMEOUT);
    const workspace = this.workspace && { ...this.workspace, remove: async () => {} };
    const leased = { ...this.#leased, release: () => {} };
    const other = new Workbench(await context.newPage(), workspace, context, leased, async () => {});
    await other.load();
    return other;
  }

  /** Reloads the window as "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    await this.#loadAgain();
    await this.#settled();
  }

  async #loadAgain(): Promise<void> {
    await this.page.reload({ waitUntil: "commit", timeout: START_TIMEOUT });
  }

  /** Resolves when the window is ready, with the workspace's folders if it has several. */
  async #settled(): Promise<void> {
    await this.#ready();
    if (this.workspace?.roots !== undefined) await this.#rootsShown();
  }

  /** `kill -9` of the extension hosts that have this window's home folder; how many. Linux only. */
  killExtensionHosts(): number {
    return killByHome("--type=extensionHost", this.home);
  }

  async #ready(): Promise<void> {
    // Before this mark the window may still bring back the views of its last time.
    const started = this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          new PerformanceObserver((list, observer) => {
            if (list.getEntriesByName("code/didStartWorkbench").length === 0) return;
            observer.disconnect();
            resolve();
          }).observe({ type: "mark", buffered: true });
        }),
    );
    await withTimeout(started, START_TIMEOUT, "VS Code's window did not start");
    await this.panelTab().waitFor({ timeout: START_TIMEOUT });
  }

  /**
   * A *.code-workspace file is read over the connection, after the window's own start. VS Code swallows an error there
   * and stays without folders until the file changes, which was seen once on a busy machine: then it gets a second start.
   */
  async #rootsShown(): Promise<void> {
    const root = this.page.locator(".explorer-folders-view").getByRole("treeitem").first();
    const shown = () =>
      root.waitFor({ timeout: START_TIMEOUT / 2 }).then(
        () => true,
        () => false,
      );
    if (await shown()) return;
    this.consoleLines.push("The window opened without the workspace's folders and is reloaded");
    await this.#loadAgain();
    await this.#ready();
    if (!(await shown())) throw new Error("VS Code does not show the workspace's folders");
  }

  /** Nekode's icon in the activity bar, with its badge. */
  panelTab(): Locator {
    return this.page.locator(".activitybar").getByRole("tab", { name: /^Nekode/ });
  }

  /**
   * The inside of the Nekode panel, for locators. It finds the webview anew with each use, so it stays good over reloads:
   * `panel().getByTestId("send").click()`.
   */
  panel(): FrameLocator {
    return this.page.frameLocator(PANEL).frameLocator("iframe#active-frame");
  }

  /** The panel's frame as it is now, for `evaluate`. Waits until the composer is in it. */
  async panelFrame(): Promise<Frame> {
    const handle = await this.panel().locator("body").elementHandle({ timeout: START_TIMEOUT });
    const frame = await handle?.ownerFrame();
    if (!frame) throw new Error("The Nekode panel has no frame");
    return frame;
  }

  /** Shows the panel when it is hidden, and resolves when the extension has sent its state. */
  async openPanel(): Promise<FrameLocator> {
    if (!(await this.#panelShown())) await this.panelTab().click();
    await this.panel()
      .locator(":root:not([data-hidden]) main[aria-busy=false]")
      .waitFor({ timeout: START_TIMEOUT });
    return this.panel();
  }

  /** A row of the transcript by its kind, and by a part of its text. */
  row(kind: string, text?: string | RegExp): Locator {
    const rows = this.panel().locator(`[data-testid=row][data-kind=${kind}]`);
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  /** Opens the lines that stand for folded work, as a user does who wants to see the steps; some may be open already. */
  async unfold(): Promise<void> {
    const lines = this.panel().locator("[data-testid=work], .command-line");
    const closed = lines.and(this.panel().locator("[aria-expanded=false]"));
    await lines.first().waitFor();
    while ((await closed.count()) > 0) await closed.first().click();
  }

  /** Writes into the composer, and sends it. */
  async send(text: string): Promise<void> {
    await this.panel().getByTestId("chat-input").click();
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press("Enter");
  }

  /** For the next test in the same window: no editor is open, and a new task is on show, in act mode. */
  async startOver(): Promise<void> {
    if ((await this.tab("").count()) > 0) await this.runCommand("View: Close All Editors");
    await this.tab("").first().waitFor({ state: "detached" });
    const panel = await this.openPanel();
    await this.newTask();
    await panel.getByTestId("mode-act").click();
  }

  /** Presses an action of the panel's title bar, which is VS Code's, by the title of its command. */
  async titleAction(title: "New Task" | "Show History" | "Show Rules" | "Show MCP Servers"): Promise<void> {
    const bar = this.page.locator(".part.sidebar .composite.title");
    await bar.getByRole("button", { name: new RegExp(`^${title}`) }).click();
  }

  /** Stops the current task if it is not finished, begins a new one, and resolves when the panel shows it. */
  async newTask(): Promise<void> {
    const stop = this.panel().getByTestId("stop");
    // A click would wait for a button that disappears in the meantime because the task is over.
    await stop.evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click();
    });
    await stop.waitFor({ state: "detached" });
    await this.taskBeside();
  }

  /** Begins a new task beside those that there are, and resolves when the panel shows it. */
  async taskBeside(): Promise<void> {
    const empty = this.panel().locator(".empty");
    // If the panel shows a new task already, no change would tell that the command has arrived: when it does, it could put
    // the task that is sent next into the background.
    if (await empty.isVisible()) return;
    await this.titleAction("New Task");
    await empty.waitFor();
    await this.row("user").first().waitFor({ state: "detached" });
  }

  /** A task in the list of those that are not on screen. */
  otherTask(title: string): Locator {
    return this.panel().getByTestId("session-item").filter({ hasText: title });
  }

  /** Shows a task of that list. */
  async switchTo(title: string): Promise<void> {
    await this.otherTask(title).locator(".session-open").click();
    await this.panel().getByTestId("task-title").filter({ hasText: title }).waitFor();
  }

  /** Presses a button of VS Code's own question. */
  async answerDialog(button: string): Promise<void> {
    const box = this.page.locator(".monaco-dialog-box");
    await box.getByRole("button", { name: button, exact: true }).click();
    await box.waitFor({ state: "detached" });
  }

  /**
   * Opens the context menu of something and takes one of its entries, by Enter: for its first 100 ms VS Code's menu ignores
   * the mouse without a word, lest the click that opened it should choose.
   */
  async chooseFromMenuOf(target: Locator, entry: string): Promise<void> {
    await target.click({ button: "right" });
    const menu = this.page.locator(".monaco-menu");
    await menu.getByRole("menuitem", { name: entry, exact: true }).hover();
    await menu.locator(".action-item.focused").filter({ hasText: entry }).waitFor();
    await this.page.keyboard.press("Enter");
    await menu.waitFor({ state: "detached" });
  }

  /** Closes the settings or the like where the editor shows them over everything else, as newer ones do. */
  async closeModal(): Promise<void> {
    const modal = this.page.locator(".monaco-modal-editor-block");
    if (!(await modal.isVisible())) return;
    await modal
      .getByRole("button", { name: /^Close/ })
      .first()
      .click();
    await modal.waitFor({ state: "hidden" });
  }

  async #panelShown(): Promise<boolean> {
    if (!(await this.page.locator(".part.sidebar").isVisible())) return false;
    return (await this.panelTab().getAttribute("aria-selected")) === "true";
  }

  /** Runs a command by its title ("Nekode: New Task") from the command palette. */
  async runCommand(title: string): Promise<void> {
    const widget = this.page.locator(".quick-input-widget");
    await askPalette(this.page, `>${title}`);
    // The list may still be that of the text before, in which nothing of a name is marked. A command that was used comes first,
    // even if only its beginning is the title: that is marked alone.
    const name = this.page
      .locator(".monaco-highlighted-label")
      .filter({ has: this.page.locator(".highlight"), hasText: new RegExp(`^${escaped(title)}$`) });
    const entry = widget.locator(".monaco-list-row").filter({ has: name }).first();
    await entry.waitFor();
    // Similar commands follow: a click on a row that is then drawn anew is lost.
    if ((await entry.and(this.page.locator(".focused")).count()) > 0) await this.page.keyboard.press("Enter");
    else await entry.click();
    await entry.waitFor({ state: "hidden" });
  }

  /** Opens a file of the workspace with Quick Open and resolves when the cursor is in it. */
  async openFile(file: string): Promise<void> {
    await this.page.keyboard.press("ControlOrMeta+p");
    const widget = this.page.locator(".quick-input-widget");
    await widget.locator("input").first().fill(file);
    const name = path.posix.basename(file);
    // Recent files are listed first, and all others when they are found: a click on a row that is then drawn anew is lost.
    await widget.locator(".monaco-list-row.focused").filter({ hasText: name }).waitFor();
    await this.page.keyboard.press("Enter");
    await widget.waitFor({ state: "hidden" });
    await this.editing(name);
  }

  /** Resolves when the cursor is in the text editor whose tab has that label: what is typed from now on goes there. */
  async editing(label: string): Promise<void> {
    const group = this.page.locator(".editor-group-container.active");
    await group.locator(".tab.active").filter({ hasText: label }).waitFor();
    await group.locator(".editor-instance .monaco-editor.focused").waitFor();
  }

  /** An editor's tab, by (a part of) its label. */
  tab(label: string): Locator {
    return this.page.locator(".tabs-container .tab").filter({ hasText: label });
  }

  /** Presses an editor's tab, and resolves when its editor is the active one: title actions act on that. */
  async showTab(tab: Locator): Promise<void> {
    await tab.click();
    await tab.and(this.page.locator(".active")).waitFor();
  }

  /** The visible diff editor's lines, top to bottom. Monaco renders only what fits the window. */
  async diffEditorText(): Promise<{ original: string[]; modified: string[] }> {
    const editor = this.page.locator(".monaco-diff-editor").first();
    await editor.locator(".editor.original .view-line").first().waitFor();
    return {
      original: await visibleLines(editor.locator(".editor.original")),
      modified: await visibleLines(editor.locator(".editor.modified")),
    };
  }

  /** A locator for a line of the diff's right side that holds `text`; to wait for a streamed line. */
  modifiedLine(text: string): Locator {
    return this.page
      .locator(".monaco-diff-editor .editor.modified .view-line")
      .filter({ hasText: withSpaces(text) });
  }

  /** The visible lines of the active text editor. */
  async editorText(): Promise<string[]> {
    return visibleLines(
      this.page.locator(".editor-group-container.active .editor-instance .monaco-editor").first(),
    );
  }

  /** A notification toast, by a part of its text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text });
  }

  /** Waits for a notification, and points at it: VS Code takes one away after 15 s unless the mouse is on it. */
  async holdNotification(text: string | RegExp): Promise<Locator> {
    const toast = this.notification(text);
    await toast.hover();
    return toast;
  }

  /** Makes the side bar `width` pixels wide by dragging its edge; VS Code's least is 170. */
  async resizeSideBar(width: number): Promise<void> {
    const sideBar = this.page.locator(".part.sidebar");
    const box = await sideBar.boundingBox();
    if (!box) throw new Error("The side bar is hidden");
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x + box.width, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** With NEKODE_SHEET=1, saves test-results/screenshots/NAME.png: nothing is tested by it, and it costs what a step costs. */
  async screenshot(name: string): Promise<void> {
    if (process.env.NEKODE_SHEET === undefined) return;
    await this.page.screenshot({ path: screenshotFile(name) });
  }

  /** Saves what helps to understand a failure: screenshot, console, the panel's HTML, all logs. */
  async saveTraces(folder: string): Promise<void> {
    await this.page
      .screenshot({ path: path.join(folder, "screenshot.png"), timeout: 10_000 })
      .catch(() => {});
    await writeFile(path.join(folder, "console.log"), this.consoleLines.join("\n"));
    const frame = this.page
      .frames()
      .find((each) => each.name() === "active-frame" || each.parentFrame()?.parentFrame());
    const html = await frame?.content().catch(() => undefined);
    if (html !== undefined) await writeFile(path.join(folder, "panel.html"), html);
    await this.#leased.server.saveLogs(folder);
  }

  /** Closes the window; its server serves the next one. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.#closing().catch(() => {});
    // Leaving the page tells the server to end the window's extension host; a closed context alone would not.
    await this.page.goto("about:blank").catch(() => {});
    await this.#context.close();
    this.#leased.release();
    await this.workspace?.remove();
  }
}

async function withTimeout(work: Promise<void>, timeoutMs: number, message: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For a regular expression that matches this text. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Monaco renders spaces as no-break spaces. */
const withSpaces = (text: string): RegExp => new RegExp(escaped(text).replace(/ /g, "[ \\u00a0]"));

async function visibleLines(editor: Locator): Promise<string[]> {
  const lines = await editor.locator(".view-lines .view-line").evaluateAll((elements) =>
    elements
      .map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent ?? "" }))
      .sort((a, b) => a.top - b.top)
      .map((line) => line.text),
  );
  return lines.map((line) => line.replace(/\u00a0/g, " "));
}
