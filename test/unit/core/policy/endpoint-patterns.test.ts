/** Patterns of addresses and models cover what they name, and nothing that only looks like it. */
import { expect, it } from "vitest";
import {
  allowsAddress,
  allowsModel,
  isEndpointPattern,
} from "../../../../src/core/policy/endpoint-patterns.ts";

it.each([
  ["https://models.example.com/v1", "https://models.example.com/v1/chat/completions", true],
  ["https://models.example.com/v1", "https://MODELS.example.com:443/v1", true],
  ["https://models.example.com", "https://models.example.com/anything", true],
  ["https://*.example.com", "https://a.b.example.com/v1/models", true],
  ["http://localhost:*", "http://localhost:11434/v1/models", true],
  ["http://[::1]:8080/v1", "http://[::1]:8080/v1/models", true],
  ["https://models.example.com/v1", "https://models.example.com/v12/models", false],
  ["https://models.example.com/v1", "https://models.example.com/v2", false],
  ["https://models.example.com/v1", "https://models.example.com/v1/../admin", false],
  ["https://models.example.com/v1", "https://models.example.com/v1/%2e%2e%2fadmin", false],
  ["https://models.example.com/v1", "http://models.example.com/v1/models", false],
  ["https://models.example.com/v1", "https://models.example.com:8443/v1/models", false],
  ["https://models.example.com/v1", "https://models.example.com@evil.example/v1/models", false],
  ["https://*.example.com", "https://example.com/v1", false],
  ["https://*.example.com", "https://evilexample.com/v1", false],
  ["https://*.example.com", "https://x.example.com.evil.example/v1", false],
  ["vscode", "https://vscode/v1", false],
  ["https://models.example.com", "not an address", false],
])("%s: %s: %s", (pattern, address, isAllowed) => {
  expect(allowsAddress([pattern], address)).toBe(isAllowed);
  expect(allowsAddress([], address)).toBe(false);
  expect(allowsAddress(undefined, address)).toBe(true);
});

it.each([
  "*",
  "https://*",
  "https://a.*.example",
  "ftp://a.example",
  "a.example",
  "https://",
  "https://u@a.example",
])("%s is not a pattern", (text) => expect(isEndpointPattern(text)).toBe(false));

it.each([
  ["gpt-5", "gpt-5", true],
  ["gpt-5*", "gpt-5-mini", true],
  ["*/qwen3*b", "org/qwen3-coder-30b", true],
  ["a*b*c", "a-b-c", true],
  ["gpt-5", "gpt-5-mini", false],
  ["gpt-5*", "my-gpt-5", false],
  ["a*a", "a", false],
  ["a*b*c", "a-c-b", false],
])("the model pattern %s: %s: %s", (pattern, model, isAllowed) => {
  expect(allowsModel([pattern], model)).toBe(isAllowed);
});
