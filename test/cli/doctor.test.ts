/** `nekode doctor`: the cost is said first and can be refused, the findings are printed, and used from then on. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { placeOfEachTest, play, played, project, STILL } from "./doctor-place.ts";

placeOfEachTest();

const learned = () => readFile(path.join(project.dataDir, "models/learned.json"), "utf8");

it("checks an address, says what it costs, and keeps what it found", async () => {
  const url = await play("tools-refused");
  const { code, stdout, stderr } = await project.spawn(["doctor", url, "--yes"], {
    ...STILL,
    NEKODE_API_KEY: "k",
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toBe("Nekode works well with this model. Tools are called in XML.\n");
  expect(stderr).toContain("The check uses at most about 32,000 tokens, 16,000 of them to measure");
  expect(stderr).toContain("– Native tool calls: ");
  expect(stderr).toContain("m does not support tools");
  expect(stderr).toContain("✓ Context window: 14,400 tokens fit");
  expect(stderr.split("\n").filter((line) => /^[✓✗–·] /.test(line))).toHaveLength(25);
  const file = JSON.parse(await learned());
  expect(Object.values(file.models)).toMatchObject([{ facts: { tools: { value: false, origin: "check" } } }]);
  expect(await learned()).not.toContain('"k"');

  // The next run does not try what is known to be refused.
  const before = played?.requests ?? 0;
  const run = await project.run(["--base-url", url, "--model", "m", "Say PONG"], { NEKODE_API_KEY: "k" });
  expect(run.stderr).not.toContain("does not support");
  expect(played?.requests).toBeGreaterThan(before);
});

it("names an endpoint that cannot be used, in Japanese too, and exits with 1", async () => {
  const { code, stdout, stderr } = await project.run(["doctor", await play("bad-key"), "--model", "m"], {
    NEKODE_API_KEY: "k",
    LANG: "ja_JP.UTF-8",
  });
  expect([code, stdout]).toEqual([1, "このままでは、Nekode はこのモデルを使えません。\n"]);
  expect(stderr).toContain("✗ 回答: ");
  expect(stderr).toContain("API キー");
});
