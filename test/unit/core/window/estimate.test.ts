/**
 * How large the next prompt will be: within 10 percent of what a real tokenizer counts, after a few requests, whatever the
 * conversation is about and however the endpoint counts.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemPrompt } from "../../../../src/core/prompts/sections.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { noise } from "../../../support/random.ts";
import { type DriverOptions, WindowDriver } from "./window-driver.ts";

const repository = path.join(import.meta.dirname, "../../../..");
const read = (name: string) => readFileSync(path.join(repository, name), "utf8");

const english = read("README.md");
const japanese = read("README.ja.md");
const chinese =
  "这个函数读取文件并返回其内容。如果文件不存在，就会说明原因，并给出名称最接近的文件。请在设置中指定模型的地址。".repeat(
    150,
  );
const code = ["agent/project", "loop/request", "loop/loop"]
  .map((name) => read(`src/core/${name}.ts`))
  .join("\n");
const base64 = noise(20_000).toString("base64");
const mixed = (n: number) => [english, japanese, chinese, code, base64][n % 5] ?? "";

const topics: [name: string, text: (n: number) => string][] = [
  ["English", () => english],
  ["Japanese", () => japanese],
  ["Chinese", () => chinese],
  ["code", () => code],
  ["base64", () => base64],
  ["one after the other", mixed],
];

/** What an image of 1024 by 1024 says of itself. */
function image(): string {
  const png = Buffer.alloc(33);
  png.write("\x89PNG\r\n\x1a\n", "latin1");
  png.writeUInt32BE(1024, 16);
  png.writeUInt32BE(1024, 20);
  return png.toString("base64");
}

const system = (protocol: "native" | "xml") =>
  systemPrompt({
    protocol,
    wording: "full",
    offered: new Set(new ToolRegistry().tools.map(({ name }) => name)),
    documentation: new ToolRegistry().documentation(),
    abilities: [],
    servers: "",
    serversDeferred: false,
    root: "/project",
    os: "Linux",
    shell: "/bin/bash",
    home: "/home/person",
    hostName: "Terminal",
    customInstructions: "",
    preferredLanguage: "日本語",
    rules: japanese.slice(0, 3_000),
    agent: undefined,
    toolRules: [],
  });

/** The worst miss from the fourth request on, as a share of the real count. */
async function worst(options: DriverOptions, text: (n: number) => string, images = false): Promise<number> {
  const { protocol = "native", factor = 1 } = options;
  const driver = new WindowDriver({ system: system(protocol), ...options });
  driver.user("<task>\n設定画面を直してください。\n</task>", "# Current Mode\nACT MODE");
  let miss = 0;
  for (let n = 0; n < 16; n++) {
    if (images && n % 2 === 1) driver.user("look at this", "", [image()]);
    const from = (n * 1_300) % 9_000;
    const result = text(n).slice(from, from + (n % 3 === 0 ? 3_000 : 700));
    await driver.turn({ tool: "read_file", params: { path: `file${n}.txt` }, result, text: `Step ${n}.` });
    if (n >= 3) miss = Math.max(miss, Math.abs(driver.expected / (driver.tokens * factor) - 1));
  }
  return miss;
}

describe.each(["native", "xml"] as const)("the expected size of the next prompt under %s", (protocol) => {
  const window = 200_000;

  it.each(topics)("%s", async (_name, text) => {
    expect(await worst({ window, protocol }, text)).toBeLessThan(0.1);
  });

  it.each([
    ["as OpenAI does", 765],
    ["as Anthropic does", 1_398],
    ["as Gemini does", 258],
  ])("with images, counted %s", async (_name, imageTokens) => {
    expect(await worst({ window, protocol, imageTokens }, mixed, true)).toBeLessThan(0.1);
  });

  it.each([0.7, 1.3, 1.8])("by a tokenizer that makes %d times as many", async (factor) => {
    expect(await worst({ window, protocol, factor }, mixed)).toBeLessThan(0.1);
  });
});
