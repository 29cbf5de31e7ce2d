import { expect, it } from "vitest";
import { sentImageOf } from "../../../../src/core/agent/session-texts.ts";
import type { Message } from "../../../../src/shared/message.ts";

it("finds the images that the user attached, and not those that a mention brought", () => {
  const image = (data: string, supplied?: boolean) =>
    ({
      type: "image",
      mimeType: "image/png",
      data,
      ...(supplied === undefined ? {} : { supplied }),
    }) as const;
  const messages: Message[] = [
    {
      id: "m1",
      role: "user",
      createdAt: "",
      blocks: [{ type: "text", text: "look" }, image("mentioned", true), image("own"), image("second")],
    },
  ];
  expect(sentImageOf(messages, "m1", 0)).toEqual({ mimeType: "image/png", data: "own" });
  expect(sentImageOf(messages, "m1", 1)?.data).toBe("second");
  expect(sentImageOf(messages, "m1", 2)).toBeUndefined();
  expect(sentImageOf(messages, "m2", 0)).toBeUndefined();
});
