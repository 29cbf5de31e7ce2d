/** The row that asks: the verb, the hunks, what is allowed from now on, and the line that stands for it out of sight. */
import { describe, expect, it } from "vitest";
import { reasonOf } from "../../src/shared/reason.ts";
import { asks, edit, hunks } from "./support/approval-card.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { ask, done, text, user } from "./support/events.ts";
import {
  focused,
  holdChunk,
  host,
  openPanel,
  overflow,
  page,
  picture,
  row,
  servePanels,
} from "./support/suite.ts";

servePanels({ keepsPanel: true });

describe("the button", () => {
  it("says what happens, by the tool", async () => {
    await openPanel();
    host.emit({ type: "session", id: "s", title: "A task" }, user("Make the cat louder"));
    for (const [tool, approval, verb] of [
      ["execute_command", { command: "npm test" }, "Run"],
      ["replace_in_file", { access: "edit", path: "a" }, "Save"],
      ["write_to_file", { access: "edit", path: "a", created: true }, "Create"],
      ["delete_file", { access: "edit", path: "a" }, "Delete"],
      ["web_fetch", { access: "web", url: "https://a.example/" }, "Fetch"],
      ["mine__tool", { access: "mcp", server: { name: "mine", tool: "tool" } }, "Call"],
    ] as const) {
      host.emit(...ask(tool, tool, "a", approval));
      await page.getByTestId("approve").waitFor();
      await expect.poll(() => page.getByTestId("approve").allTextContents()).toEqual([verb]);
      host.emit(...done(tool));
      await page.getByTestId("approve").waitFor({ state: "detached" });
    }
  });
});

describe("where a command runs", () => {
  it.each(["dark", "light"] as const)("is said if there is a sandbox: %s", async (theme) => {
    const command = { command: "npm install", cwd: "/home/mia/cats", always: "npm install" };
    host.emit(
      { type: "session", id: "s", title: "A task" },
      user("Make the cat louder"),
      ...ask("c", "execute_command", "npm install", {
        ...{ ...command, outsideSandbox: true, reason: reasonOf("outside-sandbox") },
      }),
    );
    await openPanel({ theme, width: 250 });
    await row("approval").getByText("Runs outside the sandbox", { exact: true }).waitFor();
    await row("approval").getByText("the model asks to run the command outside the sandbox").waitFor();
    await expect.poll(overflow).toBe(0);
    await picture(`approval-outside-${theme}`);
    host.emit(...ask("d", "execute_command", "npm install", command));
    await expect.poll(() => page.getByTestId("place").count()).toBe(1);
  });
});

describe("the files that a command runs", () => {
  const covers = { files: ["run.sh", "lib.sh"], more: 0, hash: "1", runsCode: true };

  it("are covered by the approval; where they changed, the card asks again and can be answered again", async () => {
    const command = { command: "sh run.sh", covers };
    await asks(...ask("c", "execute_command", "sh run.sh", command));
    await page.getByText("Your approval covers the content of run.sh, lib.sh.").waitFor();
    await expect.poll(overflow).toBe(0);
    await picture("approval-covers");
    await page.getByTestId("approve").click();
    await host.called("chat/approve");
    const changed = { ...command, covers: { ...covers, hash: "2" }, changedSince: ["lib.sh"] };
    host.emit(...ask("c", "execute_command", "sh run.sh", changed));
    await page.getByText("files changed after you were asked: lib.sh").waitFor();
    await page.getByTestId("approve").click();
    await host.called("chat/approve", 2);
  });

  it("are named in Japanese too", async () => {
    host.emit(
      { type: "session", id: "s", title: "A task" },
      user("直して"),
      ...ask("c", "execute_command", "sh run.sh", { command: "sh run.sh", covers, changedSince: ["lib.sh"] }),
    );
    await openPanel({ boot: japanese });
    await page.getByText("承認の対象には、次のファイルの内容も含まれます: run.sh, lib.sh").waitFor();
    await page.getByText("まだ実行していません: lib.sh").waitFor();
  });
});

describe("what loads late", () => {
  const top = async () => (await page.getByTestId("approve").boundingBox())?.y;

  it("moves no button under the pointer: the todo list", async () => {
    host.emit({ type: "session", id: "s", title: "A task" }, user("Make the cat louder"));
    await openPanel();
    const chunk = await holdChunk(/todo-list-/);
    host.emit(
      { type: "todo", markdown: "- [x] Read\n- [ ] Write" },
      ...ask("c", "replace_in_file", "src/cats.js", edit),
    );
    await page.getByTestId("approve").waitFor();
    await chunk.asked;
    const before = await top();
    chunk.release();
    await page.getByTestId("todo-list").waitFor();
    expect(await top()).toBe(before);
  });

  it("moves no button under the pointer, not even until the next frame: a diagram above", async () => {
    host.emit({ type: "session", id: "s", title: "A task" }, user("Draw the cat"));
    await openPanel();
    const chunk = await holdChunk(/\/diagram-/);
    host.emit(
      text(`${"A line of the answer.\n\n".repeat(30)}`),
      text("```mermaid\ngraph TD\n  A[cat] --> B[[x\n```\n\nThat is the cat."),
      ...ask("c", "replace_in_file", "src/cats.js", edit),
    );
    await page.getByTestId("approve").waitFor();
    await chunk.asked;
    const moved = await page.evaluateHandle(() => {
      const places: number[] = [];
      const look = () =>
        places.push(document.querySelector("[data-testid=approve]")?.getBoundingClientRect().top ?? 0);
      look();
      const root = document.getElementById("root");
      if (root) new MutationObserver(look).observe(root, { subtree: true, childList: true });
      return places;
    });
    chunk.release();
    await page.locator("[data-testid=diagram][data-state=failed]").waitFor();
    const places = await moved.jsonValue();
    expect(places.length).toBeGreaterThan(2);
    expect(new Set(places.map(Math.round)).size).toBe(1);
  });

  it("is nothing that is approved: the arguments for a tool of a server are there when the buttons are", async () => {
    const server = { name: "memory", tool: "create", arguments: '{ "name": "cat" }' };
    await asks(...ask("c", "memory__create", "memory: create", { access: "mcp", server }));
    const shown = await page.waitForFunction(() => {
      const card = document.querySelector(".ask:has([data-testid=approve])");
      return card && { hasArguments: card.querySelector("[data-testid=server-call]") !== null };
    });
    expect(await shown.jsonValue()).toEqual({ hasArguments: true });
  });
});

describe("the hunks of an edit", () => {
  it("show six lines, then all; what is left out is not sent to be written", async () => {
    await asks(...ask("c", "replace_in_file", "src/cats.js", edit));
    await picture("approval-card");
    await expect.poll(() => page.locator(".hunk-line").count()).toBe(6);
    await page.getByTestId("all-hunks").click();
    await expect.poll(() => page.locator(".hunk-line").count()).toBe(8);
    await page.getByTestId("take-hunk").nth(1).uncheck();
    await page.getByTestId("approve").click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c", left: [1] });
  });

  it("cannot all be left out: that is a rejection", async () => {
    await asks(...ask("c", "replace_in_file", "src/cats.js", edit));
    await page.getByTestId("take-hunk").nth(0).uncheck();
    await page.getByTestId("take-hunk").nth(1).uncheck();
    await expect.poll(() => page.getByTestId("approve").getAttribute("disabled")).not.toBeNull();
    await page.getByTestId("approve").click({ force: true });
    await page.getByTestId("take-hunk").nth(0).check();
    await page.getByTestId("approve").click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c", left: [1] });
    expect(host.named("chat/approve")).toHaveLength(1);
  });
});

describe("a patch of several files", () => {
  const patch = {
    ...{ access: "edit" as const, path: "src/cats.js", added: 12, removed: 4 },
    files: [
      { path: "src/cats.js", kind: "update" as const, added: 7, removed: 1, at: 0, hunks },
      { path: "test/old.test.js", kind: "delete" as const, added: 0, removed: 2, at: 3 },
      {
        ...{
          path: "src/dogs.js",
          to: "src/animals/dogs.js",
          kind: "move" as const,
          added: 1,
          removed: 1,
          at: 4,
        },
        hunks: {
          shown: [{ line: 1, removed: ["const dog = 1;"], added: ["export const dog = 1;"] }],
          more: 0,
        },
      },
    ],
  };
  const boxes = () => page.getByTestId("take-file");

  it("shows its files; each opens to its hunks, and both can be left out", async () => {
    await asks(...ask("c", "apply_patch", "src/cats.js, …", patch));
    await picture("approval-patch");
    await expect.poll(() => page.getByTestId("patch-file").count()).toBe(3);
    // The first file is open, with six lines.
    await expect.poll(() => page.locator(".hunk-line").count()).toBe(6);
    await page.getByRole("button", { name: "src/animals/dogs.js" }).click();
    await expect.poll(() => page.locator(".hunk-line").count()).toBe(8);
    await page.getByTestId("take-hunk").nth(0).uncheck();
    await boxes().nth(1).uncheck();
    // A file can be moved without the change to its content.
    await page.getByTestId("take-hunk").nth(2).uncheck();
    await expect.poll(() => boxes().nth(2).getAttribute("aria-checked")).toBe("true");
    await picture("approval-patch-left");
    expect(await findings(page)).toEqual([]);
    await page.getByTestId("approve").click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c", left: [1, 3, 5] });
  });

  it("of a rename says what is renamed", async () => {
    await asks(...ask("c", "refactor_code", "rename total → sum", patch));
    await expect
      .poll(() => page.locator(".ask .call-what").allTextContents())
      .toEqual(["Renaming total → sum"]);
    await picture("approval-rename");
  });

  it("a file without any hunk left is left out, and takes all of them back", async () => {
    await asks(...ask("c", "apply_patch", "src/cats.js, …", patch));
    await page.getByTestId("take-hunk").nth(0).uncheck();
    await page.getByTestId("all-hunks").click();
    await page.getByTestId("take-hunk").nth(1).uncheck();
    await expect.poll(() => boxes().nth(0).getAttribute("aria-checked")).toBe("false");
    await boxes().nth(1).uncheck();
    await boxes().nth(2).uncheck();
    await expect.poll(() => page.getByTestId("approve").getAttribute("disabled")).not.toBeNull();
    await boxes().nth(0).check();
    await expect.poll(() => page.getByTestId("take-hunk").nth(1).getAttribute("aria-checked")).toBe("true");
    await page.getByTestId("approve").click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c", left: [3, 4] });
  });

  it("stays inside a panel of 250 px, in Japanese", async () => {
    host.emit({ type: "session", id: "s", title: "猫" }, user("猫"));
    host.emit(...ask("c", "apply_patch", "src/cats.js", patch));
    await openPanel({ width: 250, boot: japanese });
    await page.getByTestId("approve").waitFor();
    await picture("approval-patch-250-ja");
    await expect.poll(overflow).toBe(0);
  });
});

describe("the menu of scopes", () => {
  it("is a menu by keyboard, and allows in the chosen scope", async () => {
    await asks(...ask("c", "execute_command", "npm test", { command: "npm test", always: "npm test" }));
    const more = page.getByTestId("approve-more");
    await more.focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused()).toBe("allow-session");
    await page.keyboard.press("End");
    await expect.poll(() => focused()).toBe("comment");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused()).toBe("approve-more");
    expect(host.named("chat/approve")).toEqual([]);
    await more.press("Enter");
    await page.getByRole("menu").waitFor();
    await picture("approval-menu");
    await page.getByRole("menuitem", { name: "Allow in this workspace" }).click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c", allow: "workspace" });
    await expect.poll(() => focused()).toBe("chat-input");
  });
});

describe("a dangerous command", () => {
  const command = "rm -rf src/lib/big.js && git push --force origin main";
  const dangers = ["deletes", "rewrites-remote", "outside"] as const;

  it.each([
    ["dark", 250],
    ["light", 340],
    ["high-contrast", 340],
    ["high-contrast-light", 600],
  ] as const)(
    "says what it does above it, and Run is not the primary button: %s, %i px",
    async (theme, width) => {
      host.emit({ type: "session", id: "s", title: "A task" }, user("Make the cat louder"));
      host.emit(...ask("c", "execute_command", command, { command, dangers: [...dangers] }));
      await openPanel({ theme, width });
      await expect
        .poll(() => page.getByTestId("dangers").textContent())
        .toBe("Deletes files · Rewrites a remote branch · Changes files outside the project");
      await expect.poll(() => page.getByTestId("approve").getAttribute("appearance")).toBe("secondary");
      await expect.poll(() => overflow()).toBe(0);
      await expect.poll(() => findings(page)).toEqual([]);
      await picture(`approval-danger-${theme}-${width}`);
      await page.getByTestId("approve").click();
      expect(await host.called("chat/approve")).toEqual({ callId: "c" });
    },
  );

  it("in Japanese, at 250 px", async () => {
    host.emit({ type: "session", id: "s", title: "猫" }, user("猫"));
    host.emit(...ask("c", "execute_command", command, { command, dangers: [...dangers] }));
    await openPanel({ width: 250, boot: japanese });
    await page.getByTestId("dangers").waitFor();
    await expect.poll(() => overflow()).toBe(0);
    await picture("approval-danger-250-ja");
  });
});

describe("the menu of an edit", () => {
  it("begins with allowing edits in this session, where the host offers it", async () => {
    await asks(...ask("c", "replace_in_file", "src/cats.js", { ...edit, offersEdits: true }));
    await page.getByTestId("hunks").getByRole("checkbox").nth(1).click();
    await page.getByTestId("approve-more").focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused()).toBe("allow-session");
    await expect
      .poll(() => page.getByRole("menuitem").allTextContents())
      .toEqual(["Save and allow edits in this session", "Save with a comment…"]);
    await picture("approval-edit-menu");
    await expect.poll(() => findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/approve")).toEqual({ callId: "c", allow: "session", left: [1] });
  });

  it("has only the comment where allowing edits would not be enough", async () => {
    await asks(...ask("c", "replace_in_file", "src/cats.js", edit));
    await page.getByTestId("approve-more").click();
    await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["Save with a comment…"]);
  });
});

it("the comment is behind a text beside Reject", async () => {
  await asks(...ask("c", "execute_command", "npm test", { command: "npm test" }));
  const withComment = page.getByTestId("reject-with-comment");
  await expect.poll(() => withComment.textContent()).toBe("Reject with comment…");
  await withComment.click();
  await expect.poll(() => focused()).toBe("approve-with-comment");
  await page.keyboard.type("use pnpm");
  await page.getByTestId("reject").click();
  expect(await host.called("chat/reject")).toEqual({ callId: "c", comment: "use pnpm" });
});

it("Enter in the field that Reject opened rejects, and Escape leaves the field before it stops anything", async () => {
  await asks(...ask("c", "execute_command", "npm test", { command: "npm test" }));
  await page.getByTestId("reject-with-comment").click();
  await page.keyboard.type("wrong folder");
  await page.keyboard.press("Escape");
  await expect.poll(() => focused()).toBe("reject-with-comment");
  expect(host.named("chat/stop")).toEqual([]);
  expect(await page.getByText("Press Esc again to stop").count()).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(() => focused()).toBe("approve-with-comment");
  await page.keyboard.press("Enter");
  expect(await host.called("chat/reject")).toEqual({ callId: "c", comment: "wrong folder" });
  expect(host.named("chat/approve")).toEqual([]);
});

it("the host has what is prepared at once, and a card that is drawn anew shows it", async () => {
  await asks(...ask("c", "replace_in_file", "src/cats.js", edit));
  await page.getByTestId("hunks").getByRole("checkbox").nth(1).click();
  expect(await host.called("chat/prepare-answer")).toEqual({ callId: "c", comment: "", left: [1] });
  await page.getByTestId("approve-with-comment").fill("louder");
  expect(await host.called("chat/prepare-answer", 2)).toEqual({ callId: "c", comment: "louder", left: [1] });
  await page.reload();
  await expect.poll(() => page.getByTestId("approve-with-comment").inputValue()).toBe("louder");
  const boxes = page.getByTestId("hunks").getByRole("checkbox");
  await expect.poll(() => boxes.nth(0).isChecked()).toBe(true);
  await expect.poll(() => boxes.nth(1).isChecked()).toBe(false);
  // Another place that shows the card.
  host.emit({ type: "prepared", callId: "c", prepared: { comment: "quieter", left: [0], edited: [] } });
  await expect.poll(() => page.getByTestId("approve-with-comment").inputValue()).toBe("quieter");
  await expect.poll(() => boxes.nth(0).isChecked()).toBe(false);
  await expect.poll(() => boxes.nth(1).isChecked()).toBe(true);
  await page.getByTestId("approve-with-comment").fill("louder");
  await boxes.nth(0).check();
  await boxes.nth(1).uncheck();
  await page.getByTestId("approve").click();
  expect(await host.called("chat/approve")).toEqual({ callId: "c", comment: "louder", left: [1] });
});

it("a change that the user edited in the diff is saved as the diff shows it", async () => {
  await asks(...ask("c", "replace_in_file", "src/cats.js", edit));
  const boxes = page.getByTestId("hunks").getByRole("checkbox");
  await boxes.nth(0).uncheck();
  const edited = { comment: "", left: [0, 1], edited: ["src/cats.js"] };
  host.emit({ type: "prepared", callId: "c", prepared: edited });
  await page.getByTestId("edited-in-diff").waitFor();
  await picture("approval-edited");
  await expect.poll(() => boxes.nth(0).isDisabled()).toBe(true);
  expect(await page.getByTestId("approve").isDisabled()).toBe(false);
  host.emit({ type: "prepared", callId: "c", prepared: { ...edited, left: [0], edited: [] } });
  await expect.poll(() => page.getByTestId("edited-in-diff").count()).toBe(0);
  await expect.poll(() => boxes.nth(0).isDisabled()).toBe(false);
});

it("a line stands for it while it is out of sight, and shows it on a press", async () => {
  const many = Array.from({ length: 60 }, (_, index) => text(`Paragraph ${index}`));
  host.emit({ type: "session", id: "s", title: "A task" }, user("x"), ...many);
  host.emit(...ask("c", "replace_in_file", "src/cats.js", edit));
  await openPanel();
  await page.getByTestId("approve").waitFor();
  const line = page.getByTestId("approval-line");
  await expect.poll(() => line.count()).toBe(0);
  await page.getByTestId("transcript").hover();
  await page.mouse.wheel(0, -3000);
  await line.filter({ hasText: "Waiting for your approval: Save src/cats.js" }).waitFor();
  await picture("approval-line");
  await line.click();
  await expect.poll(() => line.count()).toBe(0);
  await expect.poll(() => page.getByTestId("approve").isVisible()).toBe(true);
  await page.keyboard.press("Enter");
  expect(host.named("chat/approve")).toEqual([]);
});
