/** What a page shows until its host answers: the end of what the page before it showed. */
import { describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { session, text, user } from "./support/events.ts";
import { summary, unfold } from "./support/history.ts";
import { host, input, openPanel, page, picture, servePanels, showScreen } from "./support/suite.ts";

servePanels();

const open = () => page.locator("main[aria-busy=false]");
const rows = () => page.getByTestId("row");
const state = () => page.evaluate(() => JSON.parse(sessionStorage.getItem("state") ?? "{}"));
const rememberedRows = async () => {
  const { screen } = await state();
  return screen && [...screen.view.settled, ...screen.view.live].map((row: { text: string }) => row.text);
};

describe("until the host answers", () => {
  it("shows the conversation where it ended, and lets nothing in it be pressed", async () => {
    await openPanel();
    const turns = Array.from({ length: 12 }, (_, turn) => [
      user(`Question ${turn}`),
      text(`Answer ${turn}\n\n\`\`\`js\nconst turn = ${turn};\n\`\`\``),
    ]);
    host.emit(session(), ...turns.flat());
    await rows().getByText("Answer 11").waitFor();
    await expect.poll(async () => (await rememberedRows())?.length).toBe(24);
    const answer = host.openLate();
    await page.reload();
    const last = rows().getByText("Answer 11");
    await last.waitFor();
    await rows().locator("code", { hasText: "const turn = 11" }).waitFor();
    await page.locator("main[aria-busy=true] .transcript[inert]").waitFor();
    expect(await findings(page)).toEqual([]);
    await picture("remembered");
    const height = async () => Math.round((await last.boundingBox())?.y ?? 0);
    const before = await height();
    answer();
    await open().waitFor();
    await expect.poll(() => page.locator(".transcript[inert]").count()).toBe(0);
    await expect.poll(height).toBe(before);
  });

  it("shows a short conversation at the top", async () => {
    await openPanel();
    host.emit(session(), user("One question"), text("One answer"));
    await expect.poll(rememberedRows).toEqual(["One question", "One answer"]);
    const place = await rows().getByText("One question").boundingBox();
    host.openLate();
    await page.reload();
    await rows().getByText("One answer").waitFor();
    await expect.poll(() => rows().getByText("One question").boundingBox()).toEqual(place);
  });

  it("shows the first page with its examples and recent sessions", async () => {
    host.sessions = [summary("a")];
    await openPanel();
    await page.getByTestId("recent-task").waitFor();
    await expect.poll(async () => (await state()).welcome?.examples.length).toBe(1);
    await expect.poll(async () => (await state()).screen?.setup.models.act).toBe("llamacpp/tiny-model");
    host.openLate();
    await page.reload();
    await page.getByTestId("recent-task").getByText("Task a").waitFor();
    await page.locator(".example", { hasText: "src/cats.js" }).waitFor();
    await page.getByText("tiny-model").first().waitFor();
    await page.locator("main[aria-busy=true]").waitFor();
  });

  it("a message can be written and sent under what is shown, and goes once the host answers", async () => {
    await openPanel();
    host.emit(session(), user("One question"), text("One answer"));
    await expect.poll(rememberedRows).toEqual(["One question", "One answer"]);
    const answer = host.openLate();
    await page.reload();
    await rows().getByText("One answer").waitFor();
    await input().pressSequentially("Another");
    await input().press("Enter");
    await page.getByTestId("sending").getByText("Another").waitFor();
    await rows().getByText("One answer").waitFor();
    answer();
    expect(await host.called("chat/send")).toEqual({ text: "Another" });
  });
});

describe("nothing is shown", () => {
  const blank = async () => {
    host.openLate();
    await page.reload();
    await input().waitFor();
    await page.locator(".transcript[aria-busy=true]").waitFor();
    await expect.poll(() => rows().count()).toBe(0);
  };

  it("of a session that was left while the next one works", async () => {
    await openPanel();
    host.emit(session(), user("One question"), text("One answer"));
    await expect.poll(rememberedRows).toEqual(["One question", "One answer"]);
    host.emit(session(), { type: "status", status: "waiting" }, user("Another"));
    await rows().getByText("Another").waitFor();
    await expect.poll(rememberedRows).toBe(null);
    await blank();
  });

  it("of a session that was deleted", async () => {
    host.sessions = [summary("a")];
    await openPanel();
    await expect.poll(async () => (await state()).welcome?.recent.length).toBe(1);
    showScreen("history");
    await unfold("Task a");
    await page.getByTestId("history-delete").click();
    await expect.poll(async () => (await state()).welcome.recent).toEqual([]);
  });

  it("of a turn that is too long to store with every key", async () => {
    await openPanel();
    host.emit(session(), user("One question"), text("word ".repeat(13_000)));
    await expect.poll(async () => (await state()).screen === null).toBe(true);
    await blank();
  });

  it("that another version stored in another form; the draft beside it stays", async () => {
    await openPanel();
    await input().pressSequentially("half a thought");
    await expect.poll(async () => (await state()).draft).toBe("half a thought");
    await expect.poll(async () => (await state()).screen).toBeTruthy();
    await expect.poll(async () => (await state()).welcome?.examples.length).toBe(1);
    await page.evaluate(() => {
      const stored = JSON.parse(sessionStorage.getItem("state") ?? "{}");
      sessionStorage.setItem("state", JSON.stringify({ ...stored, screen: { rows: 1 }, welcome: 1 }));
    });
    await blank();
    await expect.poll(() => input().inputValue()).toBe("half a thought");
  });
});
