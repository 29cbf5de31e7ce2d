/** A tool's presentation travels as data: a host shows the calls of a tool that it has never heard of like any others. */
import { describe, expect, it } from "vitest";
import { defaultTools } from "../../../src/core/tools/registry.ts";
import type { EventBody } from "../../../src/shared/event.ts";
import {
  presentationOf,
  type ToolPresentation,
  toolPresentationSchema,
} from "../../../src/shared/tool-presentation.ts";
import { applyEvent, emptyView } from "../../../src/shared/view/reducer.ts";
import { callDetail } from "../../../src/shared/words/outcome-words.ts";
import { callPhrase, callTitle, translator } from "../../../src/shared/words/task-words.ts";
import { isDrawn } from "../../../webview-ui/toolkit/icon.tsx";

const t = translator({ "Asked the weather in": "天気を調べました:", "{0} clouds": "雲 {0}" });
const WEATHER: ToolPresentation = {
  icon: "cloud",
  title: { doing: "Asking the weather in", done: "Asked the weather in" },
  row: "tool",
  found: { one: "1 cloud", many: "{0} clouds" },
};
const call = (tool: string, presentation?: ToolPresentation): EventBody => ({
  ...{ type: "call", messageId: "m", callId: `call of ${tool}`, tool, subject: "Tokyo" },
  ...(presentation ? { face: presentation } : {}),
});

it("a title can depend on the action that the subject begins with, and the row then shows the rest", () => {
  const presentation: ToolPresentation = {
    ...WEATHER,
    titles: { rain: { doing: "Raining in", done: "Rained in" } },
  };
  const phrase = (subject: string) =>
    callPhrase(t, presentation, { tool: "weather", state: "done", subject });
  expect(phrase("rain Tokyo now")).toBe("Rained in Tokyo now");
  expect(phrase("rain")).toBe("Rained in");
  expect(phrase("toString Tokyo")).toBe("天気を調べました: toString Tokyo");
});

describe("a face that comes with the first event of a call", () => {
  it("is that of all calls of the tool, and stays the same object where it says the same", () => {
    const first = applyEvent(emptyView, call("weather", WEATHER));
    const presentation = presentationOf(first.faces, "weather");
    expect(callTitle(t, presentation, { tool: "weather", state: "running" })).toBe("Asking the weather in");
    expect(callTitle(t, presentation, { tool: "weather", state: "done" })).toBe("天気を調べました:");
    expect(callDetail(t, presentation, { text: "3" })).toBe("雲 3");
    const second = applyEvent(first, call("weather", structuredClone(WEATHER)));
    expect(second.faces).toBe(first.faces);
    const changed = applyEvent(second, call("weather", { ...WEATHER, icon: "globe" }));
    expect(presentationOf(changed.faces, "weather")?.icon).toBe("globe");
  });

  it("outlives a change of the session", () => {
    const view = applyEvent(emptyView, call("weather", WEATHER));
    const other = applyEvent(view, { type: "session", id: "s", title: "" });
    expect(other.faces).toEqual({ weather: WEATHER });
  });

  it("says which parameters the row shows", () => {
    const shows = { text: "forecast", options: "cities", command: "run" };
    const view = [
      call("weather", { ...WEATHER, shows }),
      {
        type: "message" as const,
        message: {
          ...{ id: "m", role: "assistant" as const, createdAt: "" },
          blocks: [
            {
              ...{ type: "tool-call" as const, id: "call of weather", name: "weather" },
              params: { forecast: "Rain", cities: '["Tokyo"]', run: "open umbrella", key: "secret" },
            },
          ],
        },
      },
    ].reduce(applyEvent, emptyView);
    expect(view.live).toMatchObject([{ text: "Rain", options: ["Tokyo"], proposal: "open umbrella" }]);
  });
});

it("a call of a tool that nobody has is shown under its name", () => {
  for (const tool of ["gone", "constructor", "__proto__", ""]) {
    const view = applyEvent(emptyView, call(tool));
    const presentation = presentationOf(view.faces, tool);
    expect(presentation).toBeUndefined();
    expect(callTitle(t, presentation, { tool, state: "done" })).toBe(tool);
    expect(callDetail(t, presentation, { text: "3" })).toBe("3");
  }
});

it.each(defaultTools.map(({ name, presentation }) => ({ name, face: presentation })))(
  "the face of $name can be shown",
  ({ face: presentation }) => {
    expect(toolPresentationSchema.parse(presentation)).toEqual(presentation);
    expect(isDrawn(presentation.icon)).toBe(true);
  },
);
