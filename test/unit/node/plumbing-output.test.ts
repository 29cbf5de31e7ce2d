/** What git prints of all files of a large repository is read in pieces, between which other work has its turn. */
import { expect, it } from "vitest";
import { listInput, parseStage, takeFields } from "../../../src/node/git/plumbing-output.ts";
import { inPortions } from "../../../src/node/portions.ts";

const MANY = 60_000;

/** Resolves with how often other work had its turn before the reading was over. */
async function turnsDuring(reading: Promise<void>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await reading;
  over = true;
  return turns;
}

it("gives each field once, whole and in order, also empty ones, and one that the output ends in", async () => {
  const all = Array.from({ length: MANY }, (_, at) => (at % 7 === 0 ? "" : `名前-${at}`));
  for (const last of ["\0", ""]) {
    const found: string[] = [];
    const output = Buffer.from([...all, "end"].join("\0") + last);
    expect(output.length).toBeGreaterThan(512 * 1024);
    const turns = await turnsDuring(takeFields(output, "\0", (field) => found.push(field)));
    expect(found).toEqual([...all, "end"]);
    expect(turns).toBeGreaterThan(1);
  }
});

it("takes each item, and writes each as a line", async () => {
  const all = Array.from({ length: MANY }, (_, at) => at);
  const found: number[] = [];
  const take = async () => {
    for await (const portion of inPortions(all)) found.push(...portion);
  };
  expect(await turnsDuring(take())).toBeGreaterThan(1);
  expect(found).toEqual(all);
  expect((await listInput(all, "\n", String)).toString()).toBe(`${all.join("\n")}\n`);
  expect((await listInput([], "\n", String)).toString()).toBe("");
});

it("reads the size of a file behind its name, also where a piece ends between them", async () => {
  const entry = (at: number) => {
    const debug = `  ctime: 1:0\n  mtime: 1:0\n  dev: 1\tino: 2\n  uid: 0\tgid: 0\n  size: ${at}\tflags: 0\n`;
    return `100644 ${at.toString(16).padStart(40, "0")} 0\tsrc/file-${at}.ts\0${debug}`;
  };
  const output = Buffer.from(Array.from({ length: 5_000 }, (_, at) => entry(at)).join(""));
  expect(output.length).toBeGreaterThan(512 * 1024);
  const entries = await parseStage(output);
  expect(entries).toHaveLength(5_000);
  expect(entries.filter(({ name, size }) => name !== `src/file-${size}.ts`)).toEqual([]);
});
