/** What the user enters for a connection, checked before anything is sent. */
import { describe, expect, it } from "vitest";
import {
  bareKey,
  checkEntered,
  isThisMachine,
  isUnencryptedRoute,
} from "../../../../src/core/provider/connect/entered-connection.ts";
import { CONNECTION_PRESETS, presetOf } from "../../../../src/shared/models/connection-presets.ts";
import type { PresetId } from "../../../../src/shared/models/preset-ids.ts";

const enter = (preset: PresetId, key = "", baseUrl = presetOf(preset).baseUrl) =>
  checkEntered({ preset, key, baseUrl });

describe("presets", () => {
  it("have names that connections may have, each its own, and addresses that can be used", () => {
    const names = CONNECTION_PRESETS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { id, name, baseUrl, needsKey, keyPage, placeholder } of CONNECTION_PRESETS) {
      expect(name).toMatch(/^[a-z]+$/);
      if (id === "other") continue;
      expect(URL.canParse(baseUrl)).toBe(true);
      expect(isUnencryptedRoute(baseUrl)).toBe(false);
      expect(needsKey).toBe(!isThisMachine(baseUrl));
      if (needsKey) expect(keyPage).toMatch(/^https:/);
      if (placeholder) expect(baseUrl).toContain(placeholder);
    }
  });

  it("accept a key of their own, and their address as it is", () => {
    for (const { id, keyPrefixes = ["key-"], needsKey, placeholder, baseUrl } of CONNECTION_PRESETS) {
      if (id === "other") continue;
      const address = placeholder === undefined ? baseUrl : baseUrl.replace(placeholder, "mine");
      expect(enter(id, needsKey ? `${keyPrefixes[0]}abc` : "", address), id).toBeUndefined();
    }
  });
});

describe("a key", () => {
  it.each<[string, PresetId, PresetId]>([
    ["sk-ant-api03-x", "openai", "anthropic"],
    ["sk-or-v1-x", "openai", "openrouter"],
    ["gsk_x", "xai", "groq"],
    ["xai-x", "groq", "xai"],
    ["AIzaSyX", "openai", "gemini"],
    ["sk-proj-x", "anthropic", "openai"],
    ["github_pat_x", "openai", "github"],
  ])("%s at %s is recognized as one of %s, which is offered", (key, preset, maker) => {
    expect(enter(preset, key)).toEqual({
      code: "key-of-another",
      field: "key",
      subject: presetOf(maker).title,
      fix: { type: "preset", preset: maker },
    });
  });

  it("of any maker may be sent to a server of the user's own", () => {
    expect(enter("other", "sk-ant-x", "https://gateway.example.com/v1")).toBeUndefined();
    expect(enter("vllm", "sk-proj-x")).toBeUndefined();
  });

  it("of another maker is recognized by the address, whatever was chosen", () => {
    expect(enter("other", "sk-ant-x", "https://api.openai.com/v1")).toMatchObject({ code: "key-of-another" });
  });

  it("that is missing or cannot be sent is named", () => {
    expect(enter("openai")).toMatchObject({ code: "no-key", field: "key", subject: "OpenAI" });
    expect(enter("openai", "   ")).toMatchObject({ code: "no-key" });
    expect(enter("openai", "sk-キー")).toMatchObject({ code: "unusable-key", field: "key" });
    expect(enter("openai", "sk-a b")).toMatchObject({ code: "unusable-key" });
  });

  it.each([
    "abc",
    " abc\n",
    "Bearer abc",
    "bearer  abc",
    '"abc"',
    "OPENAI_API_KEY=abc",
    "export OPENAI_API_KEY='abc'",
  ])("as copied is understood: %j", (text) => expect(bareKey(text)).toBe("abc"));
});

describe("an address", () => {
  it.each<[string, string, string | undefined]>([
    ["", "no-address", undefined],
    ["api.example.com/v1", "bad-address", "https://api.example.com/v1"],
    ["localhost:1234/v1", "bad-address", "http://localhost:1234/v1"],
    ["ftp://example.com", "bad-address", undefined],
    ["https://exa mple.com", "bad-address", undefined],
    ["https://example.com/v1/chat/completions", "extra-path", "https://example.com/v1"],
    ["https://example.com/v1/chat/completions/", "extra-path", "https://example.com/v1"],
    ["https://example.com/v1/models?version=2", "extra-path", "https://example.com/v1?version=2"],
    ["https://api.anthropic.com/v1/messages", "extra-path", "https://api.anthropic.com/v1"],
    ["http://example.com/v1", "wants-https", "https://example.com/v1"],
  ])("%j: %s", (baseUrl, code, fixed) => {
    const problem = enter("other", "key", baseUrl);
    expect(problem).toMatchObject({ code, field: "baseUrl" });
    expect(problem?.fix).toEqual(fixed === undefined ? undefined : { type: "address", baseUrl: fixed });
    // What the button enters is right.
    if (fixed !== undefined) expect(enter("other", "key", fixed)).toBeUndefined();
  });

  it.each([
    "http://192.168.1.5:8000/v1",
    "http://10.0.0.2/v1",
    "http://gpu/v1",
    "http://box.local:8000/v1",
    "http://[::1]:8000/v1",
  ])("%s may be without encryption: the network is the user's own", (baseUrl) =>
    expect(enter("other", "key", baseUrl)).toBeUndefined(),
  );

  it("without encryption needs none if no key is sent", () => {
    expect(enter("other", "", "http://models.example.com/v1")).toBeUndefined();
  });

  it("with a placeholder must be completed", () => {
    expect(enter("azure", "abc")).toMatchObject({ code: "placeholder", subject: "YOUR-RESOURCE" });
  });
});
