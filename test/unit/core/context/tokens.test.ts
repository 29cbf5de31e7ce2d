/** The estimate against a real tokenizer (o200k), and the meter that learns from an endpoint's counts. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateImageTokens, estimateTokens, TOKEN_BUFFER } from "../../../../src/core/context/tokens.ts";
import { TokenMeter } from "../../../../src/core/window/token-meter.ts";
import { noise } from "../../../support/random.ts";

const repository = path.join(import.meta.dirname, "../../../..");
const read = (name: string) => readFileSync(path.join(repository, name), "utf8");

const ENGLISH =
  "The function reads a file and returns what it holds. If there is no such file, it says so, and names the nearest one that there is. ";
const JAPANESE =
  "この関数はファイルを読み込み、その内容を返します。ファイルが存在しない場合は、その旨を伝え、最も近い名前のファイルを示します。吾輩は猫である。名前はまだ無い。";
const CHINESE =
  "这个函数读取文件并返回其内容。如果文件不存在，就会说明原因，并给出名称最接近的文件。请在设置中指定模型的地址。";
const samples: Record<string, string> = {
  English: ENGLISH.repeat(30),
  Japanese: JAPANESE.repeat(30),
  Chinese: CHINESE.repeat(30),
  code: read("src/core/agent/project.ts"),
  base64: noise(6_000).toString("base64"),
  hex: noise(3_000).toString("hex"),
  JSON: JSON.stringify(JSON.parse(read("package.json"))),
  mixed: `${ENGLISH}${JAPANESE}${read("src/core/text.ts")}`,
};

describe("estimateTokens", () => {
  it("is 0 for nothing, and rounds up", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("a")).toBe(1);
  });

  it("follows the reference figures: 4 ASCII characters a token, 1.5 Japanese ones", () => {
    expect(estimateTokens("word ".repeat(80))).toBe(100);
    expect(estimateTokens("猫".repeat(150))).toBe(100);
  });

  it.each(Object.entries(samples))(
    "%s: never above twice the count, and with the buffer not below it",
    (_name, text) => {
      const counted = countTokens(text);
      const estimated = estimateTokens(text);
      expect(estimated * TOKEN_BUFFER.withTools).toBeGreaterThan(counted);
      expect(estimated * TOKEN_BUFFER.plain).toBeGreaterThan(counted * 0.95);
      expect(estimated).toBeLessThan(counted * 2);
    },
  );

  it("takes any text: lone surrogates, control characters, one endless line", () => {
    expect(estimateTokens("\ud800\u0000\u001b[31m")).toBeGreaterThan(0);
    expect(estimateTokens("x".repeat(5_000_000))).toBe(1_250_000);
  });
});

describe("estimateImageTokens", () => {
  it("counts tiles by the size in the header", () => {
    const png = Buffer.alloc(33);
    png.write("\x89PNG\r\n\x1a\n", "latin1");
    png.writeUInt32BE(1024, 16);
    png.writeUInt32BE(1024, 20);
    expect(estimateImageTokens(png.toString("base64"))).toBe(765);
    const jpeg = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]),
      Buffer.from([0xff, 0xc0, 0, 17, 8, 0x01, 0x2c, 0x01, 0x90, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ]);
    expect(estimateImageTokens(jpeg.toString("base64"))).toBe(85 + 170);
  });

  it("has a figure for what it cannot read", () => {
    expect(estimateImageTokens("")).toBe(1105);
    expect(estimateImageTokens("!!!")).toBe(1105);
  });
});

describe("TokenMeter", () => {
  it.each(Object.entries(samples))("%s: within 10 percent from the fourth request on", (_name, text) => {
    const meter = new TokenMeter();
    let prompt = read("src/core/prompts/sections.ts").slice(0, 3_000);
    const misses: number[] = [];
    for (let request = 1; request <= 10; request++) {
      prompt += text.slice((request - 1) * 400, request * 400 + 400);
      const raw = estimateTokens(prompt);
      const counted = countTokens(prompt);
      if (request >= 4) misses.push(Math.abs(meter.predict(raw, true) / counted - 1));
      meter.observe(raw, counted);
    }
    expect(Math.max(...misses)).toBeLessThan(0.1);
  });

  it("starts with the buffer of the reference: 1.2, with tools 1.5", () => {
    expect(new TokenMeter().predict(1000, false)).toBe(1200);
    expect(new TokenMeter().predict(1000, true)).toBe(1500);
  });

  it("goes by the whole prompt's ratio when the prompt became shorter", () => {
    const meter = new TokenMeter();
    meter.observe(10_000, 8_000);
    expect(meter.predict(5_000, true)).toBe(4_000);
  });

  it("does not believe a report that cannot be", () => {
    const meter = new TokenMeter();
    meter.observe(10_000, 0);
    meter.observe(10_000, 12);
    expect(meter.corrected).toBe(false);
    expect(meter.predict(100, false)).toBe(120);
  });
});
