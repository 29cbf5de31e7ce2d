/**
 * Images of results: small in their rows, loaded when they come on screen, enlarged by a press. Those of messages are in
 * markdown-extras.test.ts.
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import type { Picture } from "../../src/shared/message.ts";
import { reasonOf } from "../../src/shared/reason.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { ask, id, session, text, user } from "./support/events.ts";
import { FakeHost } from "./support/fake-host.ts";
import {
  focused,
  host,
  openPanel,
  overflow,
  page,
  panelServer,
  picture,
  row,
  servePanels,
} from "./support/suite.ts";

servePanels();

let image = "";
const SIZE = { width: 900, height: 600 };

beforeEach(async () => {
  if (image !== "") return;
  const panel = await (await panelServer()).open({ host: new FakeHost(), ...SIZE });
  await panel.page.setContent(
    `<body style="background:#fff;font:30px sans-serif"><h1>Cat shop</h1><button style="position:absolute;left:400px;top:280px">Sign in</button></body>`,
  );
  image = (await panel.page.screenshot({ type: "png" })).toString("base64");
  await panel.close();
});

/** A finished call with these pictures, whose bytes the host has. */
function looked(callId: string, subject: string, ...pictures: Picture[]): EventBody[] {
  pictures.forEach((_, index) => {
    host.pictures[`${callId}:${index}`] = { mimeType: "image/png", data: image };
  });
  return [
    { type: "call", messageId: id(), callId, tool: "read_file", subject },
    { type: "call-done", callId, outcome: "done", shown: { text: "PNG image", pictures } },
  ];
}

const small = () => page.locator("[data-testid=row] [data-testid=picture]");
const viewer = () => page.getByTestId("picture-viewer");
const clicked = { ...SIZE, about: "Cat shop, after a click", mark: { x: 430, y: 300 } };

describe("a picture in a row", () => {
  it("is small, keeps its place before it arrives, and marks the click", async () => {
    host.emit(session(), user("look"), ...looked("c1", "shot.png", clicked));
    await openPanel({ width: 250 });
    const img = small().locator("img");
    await img.waitFor();
    await expect.poll(() => img.getAttribute("alt")).toBe("Cat shop, after a click");
    const box = await small().boundingBox();
    expect(box?.width).toBeGreaterThan(140);
    expect(box?.width).toBeLessThan(180);
    expect(Math.abs((box?.height ?? 0) - 110)).toBeLessThan(4);
    const mark = await small().locator(".picture-mark").boundingBox();
    const middle = (mark?.x ?? 0) + (mark?.width ?? 0) / 2 - (box?.x ?? 0);
    expect(Math.abs(middle / (box?.width ?? 1) - 430 / 900)).toBeLessThan(0.02);
    await expect.poll(() => overflow()).toBe(0);
    await picture("picture-250");
    // The bytes arrived with no event and no view.
    expect(JSON.stringify(host.view)).not.toContain(image.slice(0, 60));
  });

  it("does not move what is below it when the bytes arrive", async () => {
    host.emit(session(), user("look"), ...looked("c1", "shot.png", clicked), text("below"));
    let arrive = () => {};
    host.picturesReady = new Promise((resolve) => {
      arrive = resolve;
    });
    await openPanel();
    await host.called("chat/picture");
    const below = row("text");
    const before = await below.boundingBox();
    arrive();
    await small().locator("img").waitFor();
    await expect.poll(() => below.boundingBox()).toEqual(before);
  });

  it("is requested only when its row is near the window", async () => {
    const many = Array.from({ length: 40 }, (_, n) => text(`A line of talk, number ${n}\n\nand more`));
    host.emit(
      session(),
      user("look"),
      ...looked("c1", "old.png", clicked),
      ...many,
      ...looked("c2", "new.png", SIZE),
    );
    await openPanel({ height: 400 });
    await small().locator("img").waitFor();
    expect(host.named("chat/picture")).toEqual([{ callId: "c2", index: 0 }]);
  });

  it("says that it is gone when the host has no bytes for it", async () => {
    host.emit(session(), user("look"), ...looked("c1", "shot.png", SIZE));
    host.pictures = {};
    await openPanel();
    await row("tool").getByText("This image is not available.").waitFor();
  });
});

describe("the enlarged picture", () => {
  it("opens by key, moves through the task's pictures, and gives the focus back on Escape", async () => {
    host.emit(
      session(),
      user("look"),
      ...looked("c1", "one.png", SIZE, clicked),
      text("between"),
      ...looked("c2", "two.png", SIZE),
    );
    await openPanel({ width: 320 });
    await small().nth(2).waitFor();
    await small().nth(1).focus();
    await page.keyboard.press("Enter");
    await viewer().getByText("2 of 3").waitFor();
    await viewer().locator(".picture-large img").waitFor();
    await expect.poll(() => viewer().locator(".picture-large .picture-mark").count()).toBe(1);
    const large = await viewer().locator(".picture-large img").boundingBox();
    expect(large?.width).toBeGreaterThan(290);
    await picture("picture-viewer-320");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("ArrowRight");
    await viewer().getByText("3 of 3").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await viewer().getByText("1 of 3").waitFor();
    await page.keyboard.press("Escape");
    await viewer().waitFor({ state: "detached" });
    await expect.poll(focused).toBe("picture");
    // Escape closed the picture, and nothing else.
    expect(host.named("chat/stop")).toEqual([]);
  });

  it("shows its own size on a press, in a panel of 250 px as well, and in Japanese", async () => {
    host.emit(session(), user("look"), ...looked("c1", "one.png", clicked), ...looked("c2", "two.png", SIZE));
    await openPanel({ width: 250, boot: japanese });
    await small().first().click();
    const large = viewer().locator(".picture-large img");
    await large.waitFor();
    await picture("picture-viewer-250-ja");
    expect(await findings(page)).toEqual([]);
    await viewer().getByRole("button", { name: "画像を元のサイズで表示" }).click();
    await expect.poll(async () => (await large.boundingBox())?.width).toBe(900);
    await expect.poll(() => overflow()).toBe(0);
    await viewer().getByTestId("picture-close").click();
    await viewer().waitFor({ state: "detached" });
  });

  it("closes when the session changes", async () => {
    host.emit(session(), user("look"), ...looked("c1", "one.png", SIZE));
    await openPanel();
    await small().click();
    await viewer().waitFor();
    host.emit(session("Another"), user("else"));
    await viewer().waitFor({ state: "detached" });
  });
});

describe("a task in the browser", () => {
  const step = (callId: string, subject: string, problem?: string): EventBody[] => {
    const pictures = subject === "close" ? undefined : [callId === "b2" ? clicked : SIZE];
    if (pictures) host.pictures[`${callId}:0`] = { mimeType: "image/png", data: image };
    const shown = { ...(pictures ? { pictures } : {}), ...(problem ? { text: problem } : {}) };
    return [
      { type: "call", messageId: id(), callId, tool: "browser_action", subject },
      { type: "call-done", callId, outcome: "done", shown },
    ];
  };
  const steps = () => [
    session(),
    user("look"),
    ...step("b1", "launch http://localhost:3000/shop/cats?sort=newest"),
    ...step("b2", "click 430,300", "error: no stock"),
    ...step(
      "b3",
      "type ねこ please",
      `GET http://localhost:3000/missing: 404 Not Found\n${"uncaught ReferenceError: cat ".repeat(6)}`,
    ),
    ...step("b4", "scroll_down"),
    ...step("b5", "close"),
  ];

  it("names each action, with its picture and its problems", async () => {
    host.emit(...steps());
    await openPanel({ width: 320, height: 1100 });
    await small().nth(3).locator("img").waitFor();
    await expect
      .poll(() => row("tool").locator(".call-what").allTextContents())
      .toEqual([
        "Opened http://localhost:3000/shop/cats?sort=newest",
        "Clicked at 430,300 error: no stock",
        "Typed ねこ please",
        "Scrolled down ",
        "Closed the browser ",
      ]);
    await row("tool").getByText("Details").click();
    await row("tool").getByText("GET http://localhost:3000/missing: 404 Not Found").waitFor();
    expect(await findings(page)).toEqual([]);
    await picture("browser-320");
  });

  it("is asked for and shown in Japanese at 250 px", async () => {
    host.emit(
      ...steps(),
      ...ask("b6", "browser_action", "click 10,20", {
        access: "web",
        reason: reasonOf("site-asks", "https://other.example"),
      }),
    );
    await openPanel({ width: 250, height: 1100, theme: "light", boot: japanese });
    await page.getByRole("region", { name: "ブラウザーを使いますか?" }).waitFor();
    await small().nth(3).locator("img").waitFor();
    await row("approval").getByText("https://other.example はこのタスクでまだ承認されていません").waitFor();
    await page.locator(".ask-subject").filter({ hasText: "10,20" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await expect.poll(() => overflow()).toBe(0);
    await picture("browser-250-ja");
  });
});
