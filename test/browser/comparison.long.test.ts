/**
 * Answers of several models: side by side, stacked in a narrow panel, and a choice among them. How they come about is in
 * test/unit/core/agent/comparison.test.ts, and that they fit in screens.long.test.ts.
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { findings } from "./support/axe.ts";
import { session, text, user } from "./support/events.ts";
import { host, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";

servePanels();

const LEFT = "The loop ends when `next` returns **undefined**.\n\n- It never throws\n- It keeps its order";
const RIGHT =
  "反復は `next` が undefined を返すと終わります。\n\n```ts\nfor (const item of queue) run(item);\n```";

const done = (index: number, name: string, words: string, more = {}): EventBody => ({
  type: "comparison-done",
  id: "c1",
  index,
  answer: {
    name,
    text: words,
    outcome: "done",
    usage: { inputTokens: 4_200, outputTokens: 310, cost: 0.0123 },
    durationMs: 3_400,
    ...more,
  },
});

beforeEach(() => {
  host.emit(
    session(),
    user("@openai/gpt-5.1 @local/qwen3-coder:30b When does the loop end?"),
    { type: "comparison", id: "c1", names: ["openai/gpt-5.1", "local/qwen3-coder:30b"] },
    { type: "status", status: "streaming" },
    { type: "comparison-delta", id: "c1", index: 0, delta: LEFT.slice(0, 20) },
    { type: "comparison-call", id: "c1", index: 1, tool: "read_file", subject: "src/queue.ts" },
  );
});

const columns = () => page.getByTestId("compare-answer");
const finish = () =>
  host.emit(
    done(0, "openai/gpt-5.1", LEFT),
    done(1, "local/qwen3-coder:30b", RIGHT, { usage: { inputTokens: 900, outputTokens: 80 } }),
    { type: "status", status: "idle" },
  );

describe("answers of several models", () => {
  const looks = [
    [250, "dark"],
    [340, "light"],
    [600, "dark"],
  ] as const;
  it.each(looks)("at %i pixels, %s", async (width, theme) => {
    await openPanel({ width, theme });
    await columns().nth(1).waitFor();
    await expect.poll(() => columns().first().textContent()).toContain("The loop ends");
    await picture(`comparison-streaming-${theme}-${width}`);
    finish();
    await page.getByText("4.5k tokens").waitFor();
    await expect.poll(() => overflow()).toBe(0);
    const boxes = await Promise.all([0, 1].map((index) => columns().nth(index).boundingBox()));
    const [left, right] = boxes;
    expect((right?.x ?? 0) > (left?.x ?? 0)).toBe(width >= 480);
    expect((right?.y ?? 0) > (left?.y ?? 0)).toBe(width < 480);
    await picture(`comparison-${theme}-${width}`);
    expect(await findings(page)).toEqual([]);
  });

  it("one is chosen by keyboard, and the others fold away", async () => {
    await openPanel({ width: 600 });
    finish();
    const button = page.getByRole("button", { name: "Continue with this answer: local/qwen3-coder:30b" });
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await host.called("chat/choose-answer")).toEqual({ comparison: "c1", index: 1 });
    host.emit(
      {
        type: "message",
        message: {
          id: "m9",
          role: "user",
          createdAt: "2025-01-01T00:00:00Z",
          blocks: [{ type: "chosen", comparison: "c1", index: 1 }],
        },
      },
      text(RIGHT),
    );
    await page.getByText("2 answers; continued with local/qwen3-coder:30b").click();
    await columns().nth(1).waitFor();
    await expect.poll(() => columns().nth(1).getAttribute("data-chosen")).toBe("true");
    await expect.poll(() => button.count()).toBe(0);
    await picture("comparison-chosen-dark-600");
  });

  it("a failure says why, and cannot be chosen", async () => {
    await openPanel({ width: 340 });
    host.emit(
      done(0, "openai/gpt-5.1", "", {
        outcome: "failed",
        error: { code: "bad-key", subject: "https://x/v1" },
      }),
      done(1, "local/qwen3-coder:30b", RIGHT),
      { type: "status", status: "idle" },
    );
    await expect.poll(() => columns().first().textContent()).toContain("key");
    await expect.poll(() => page.getByText("Continue with this answer").count()).toBe(1);
    await picture("comparison-failed-dark-340");
  });
});
