/** Forms of MCP servers, and answers to them that do not fit. */
import { describe, expect, it } from "vitest";
import { questionAnswer, serverFormAnswer, serverFormRequest } from "../../../src/acp/v1/forms-v1.ts";
import type { ServerForm } from "../../../src/shared/server-form.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const form: ServerForm = {
  id: "form-1",
  server: "every",
  message: "Who\u200B?",
  ask: {
    type: "fields",
    fields: [
      { name: "name", title: "Name", required: true, kind: { type: "text", minLength: 2, format: "email" } },
      {
        name: "age",
        title: "Age",
        required: false,
        kind: { type: "number", integer: true, min: 0, max: 30 },
      },
      { name: "tame", title: "Tame", required: false, kind: { type: "boolean", initial: true } },
      {
        name: "color",
        title: "Color",
        required: false,
        kind: { type: "choice", choices: [{ value: "b", title: "Black" }] },
      },
      {
        name: "toys",
        title: "Toys",
        required: false,
        kind: { type: "choices", choices: [{ value: "m", title: "Mouse" }], max: 1 },
      },
    ],
  },
};

describe("a form of a server", () => {
  it("has the same fields, limits and required names, and no invisible characters", () => {
    expect(serverFormRequest("session", "call", form, translator({}))).toEqual({
      mode: "form",
      sessionId: "session",
      toolCallId: "call",
      message: "The MCP server every asks: Who‹U+200B›?",
      requestedSchema: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", title: "Name", minLength: 2, format: "email" },
          age: { type: "integer", title: "Age", minimum: 0, maximum: 30 },
          tame: { type: "boolean", title: "Tame", default: true },
          color: { type: "string", title: "Color", oneOf: [{ const: "b", title: "Black" }] },
          toys: {
            type: "array",
            title: "Toys",
            items: { anyOf: [{ const: "m", title: "Mouse" }] },
            maxItems: 1,
          },
        },
      },
    });
  });

  it.each([
    ["a value that fits", { name: "a@b.example", age: 3 }, "accept"],
    ["an empty optional value", { name: "a@b.example", color: "" }, "accept"],
    ["a required value that is missing", { age: 3 }, "cancel"],
    ["a value of another type", { name: "a@b.example", age: "three" }, "cancel"],
    ["a value outside of its limits", { name: "a@b.example", age: 31 }, "cancel"],
    ["a choice that is not offered", { name: "a@b.example", color: "pink" }, "cancel"],
  ])("answers %s with %s", (_, content, action) => {
    expect(serverFormAnswer({ action: "accept", content }, form).action).toBe(action);
  });

  it("is declined as the user says, and canceled by what is no answer", () => {
    expect(serverFormAnswer({ action: "decline" }, form)).toEqual({ action: "decline" });
    for (const answer of [{}, undefined, { action: "_other" }, { action: "accept", content: { name: {} } }])
      expect(serverFormAnswer(answer, form)).toEqual({ action: "cancel" });
  });
});

describe("an answer to a question", () => {
  it("is the user's own words, else the choice, else none", () => {
    const answer = (content: unknown) => questionAnswer({ action: "accept", content });
    expect(answer({ choice: "Tama", text: "Mike" })).toBe("Mike");
    expect(answer({ choice: "Tama", text: " " })).toBe("Tama");
    expect(answer({})).toBeUndefined();
    expect(answer({ choice: 3 })).toBeUndefined();
    expect(questionAnswer({ action: "decline" })).toBeUndefined();
  });
});
