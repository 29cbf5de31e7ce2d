/**
 * The panel of a project on disk, as a user has it in VS Code's side bar: what the page has, and the commands of VS Code that mean
 * the panel alone.
 */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Workspace } from "../../e2e/support/workspace.ts";
import type { Panel, PanelOptions } from "./panel-page.ts";
import { ProjectHost, type ProjectHostOptions } from "./project-host.ts";
import { panelServer } from "./suite.ts";

/** How long a journey may take in all, and each of its steps, in milliseconds: as long as in the end-to-end tests. */
export const JOURNEY = { timeout: 180_000 };
const STEP_TIMEOUT = 60_000;

export async function openProjectPanel(
  options: ProjectHostOptions,
  how: Omit<PanelOptions, "host"> = {},
): Promise<ProjectPanel> {
  const host = await ProjectHost.start(options);
  const panel = await (await panelServer()).open({ host, height: 800, ...how });
  panel.page.setDefaultTimeout(STEP_TIMEOUT);
  const project = new ProjectPanel(host, panel);
  await project.ready();
  return project;
}

export class ProjectPanel {
  readonly host: ProjectHost;
  readonly page: Page;
  readonly #panel: Panel;

  constructor(host: ProjectHost, panel: Panel) {
    this.host = host;
    this.page = panel.page;
    this.#panel = panel;
  }

  get workspace(): Workspace {
    return this.host.workspace;
  }

  /** Resolves when the page has the state. */
  async ready(): Promise<void> {
    await this.page.locator(":root:not([data-hidden]) main[aria-busy=false]").waitFor();
  }

  get input(): Locator {
    return this.page.getByTestId("chat-input");
  }

  /** A row of the transcript by its kind, and by a part of its text. */
  row(kind: string, text?: string | RegExp): Locator {
    const rows = this.page.locator(`[data-testid=row][data-kind=${kind}]`);
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  /** Writes into the composer, and sends it. */
  async send(text: string): Promise<void> {
    await this.input.click();
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press("Enter");
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** By Tab, whatever lies between. */
  async tabTo(target: Locator): Promise<void> {
    for (let i = 0; i < 15; i++) {
      await this.press("Tab");
      if ((await target.and(this.page.locator(":focus")).count()) > 0) return;
    }
    throw new Error("Tab does not lead there");
  }

  /** Opens the lines that stand for folded work, as a user does who wants to see the steps; some may be open already. */
  async unfold(): Promise<void> {
    const lines = this.page.locator("[data-testid=work], .command-line");
    const closed = lines.and(this.page.locator("[aria-expanded=false]"));
    await lines.first().waitFor();
    while ((await closed.count()) > 0) await closed.first().click();
  }

  /** Stops the current task if it is not finished, begins a new one, and resolves when the page shows it. */
  async newTask(): Promise<void> {
    const stop = this.page.getByTestId("stop");
    // A click would wait for a button that disappears in the meantime because the task is over.
    await stop.evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click();
    });
    await stop.waitFor({ state: "detached" });
    if (!(await this.page.locator(".empty").isVisible())) await this.taskBeside();
  }

  /** Begins a new task beside those that there are, and resolves when the page shows it. */
  async taskBeside(): Promise<void> {
    await this.host.newTask();
    await this.page.locator(".empty").waitFor();
    await this.row("user").first().waitFor({ state: "detached" });
  }

  /** A task in the list of those that are not on screen. */
  otherTask(title: string): Locator {
    return this.page.getByTestId("session-item").filter({ hasText: title });
  }

  /** Shows a task of that list. */
  async switchTo(title: string): Promise<void> {
    await this.otherTask(title).locator(".session-open").click();
    await this.page.getByTestId("task-title").filter({ hasText: title }).waitFor();
  }

  /** The entries of the history, which is open when it resolves. */
  async openHistory(): Promise<Locator> {
    this.host.notify("history/show", {});
    const items = this.page.getByTestId("history-item");
    await items.first().waitFor();
    await this.page.locator("[data-testid=history-search]:focus").waitFor();
    return items;
  }

  /** Reloads the page and all that is behind it, as a reload of VS Code's window does. */
  async reload(): Promise<void> {
    await this.host.restart();
    await this.page.reload();
    await this.ready();
  }

  async close(): Promise<void> {
    await this.#panel.close();
    await this.host.close();
    expect(this.#panel.complaints).toEqual([]);
    expect(this.#panel.strayRequests).toEqual([]);
  }
}
