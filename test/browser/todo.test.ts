/** The steps of a task: where it stands, ticked by the user, opened for editing. */
import { beforeEach, describe, expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { focused, host, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";

const LIST = "- [x] Read\n- [ ] Write 日本語の長い説明を書くステップ\n  - [ ] A part of it\n- [ ] Test";

servePanels({ keepsPanel: true });
beforeEach(() => {
  host.emit(session(), user("go"), { type: "todo", markdown: LIST });
});

const todo = () => page.getByTestId("todo-list");
const unfold = () => todo().locator("summary").click();

describe("the todo list", () => {
  it("is a line with progress, and unfolds", async () => {
    await openPanel({ width: 250 });
    await todo().waitFor();
    await expect
      .poll(() => todo().locator("summary").textContent())
      .toContain("Steps: 1 of 4 done. 1/4Write");
    await expect.poll(() => page.getByTestId("todo-item").first().isVisible()).toBe(false);
    await unfold();
    await page.getByTestId("todo-item").last().waitFor();
    await expect.poll(() => overflow()).toBe(0);
    await picture("todo-dark-250");
  });

  it("is ticked by a click and by a key, each tick on the ones before", async () => {
    await openPanel();
    await unfold();
    const write = page.getByRole("checkbox", { name: "Write" });
    await write.click();
    const part = page.getByRole("checkbox", { name: "A part of it" });
    await part.focus();
    await page.keyboard.press("Space");
    await page.getByRole("checkbox", { name: "Read" }).click();
    const sent = await host.called("chat/todo", 3);
    expect(sent.markdown).toBe(
      "- [ ] Read\n- [x] Write 日本語の長い説明を書くステップ\n  - [x] A part of it\n- [ ] Test",
    );
    await expect.poll(() => part.isChecked()).toBe(true);
    await expect.poll(() => todo().locator("summary").textContent()).toContain("2/4");
  });

  it("shows what holds when a tick was not taken, and follows the model's own changes", async () => {
    await openPanel();
    await unfold();
    host.failing.set("chat/todo", "no task");
    const test = page.getByRole("checkbox", { name: "Test" });
    await test.focus();
    await page.keyboard.press("Space");
    await page.getByRole("alert").getByText("no task").waitFor();
    await expect.poll(() => test.isChecked()).toBe(false);
    host.emit({ type: "todo", markdown: "- [x] Read\n- [x] Test" });
    await expect.poll(() => test.isChecked()).toBe(true);
    await expect.poll(() => todo().locator("summary").textContent()).toContain("All steps are done");
  });

  it("is opened for editing by a button of its own, by keyboard", async () => {
    await openPanel();
    await todo().locator("summary").focus();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused()).toBe("edit-todo");
    await page.keyboard.press("Enter");
    await host.called("host/edit-todo");
    await page.keyboard.press("Space");
    await host.called("host/edit-todo", 2);
  });

  it("that is no list is shown as the text that it is", async () => {
    host.emit({ type: "todo", markdown: "まず読む。\nThen write." });
    await openPanel();
    await unfold();
    await todo().getByText("This is not a checklist").waitFor();
    await expect.poll(() => todo().locator("pre").textContent()).toBe("まず読む。\nThen write.");
    await expect.poll(() => page.getByTestId("todo-item").count()).toBe(0);
  });
});
