/**
 * The limit of requests that `--json` reports, with the number that holds unless one is given. `json-lines.test.ts` proves one that
 * is given.
 */
import { expect, it } from "vitest";
import { placeOfEachTest, run } from "./json-lines-place.ts";

placeOfEachTest();

it("where nothing asks, there is no limit of requests unless one is given", async () => {
  const read = (n: number) => ({
    answer: [{ tool: "write_to_file", params: { path: `${n}.txt`, content: `${n}\n` } }],
  });
  const turns = [...Array.from({ length: 55 }, (_, n) => read(n)), { answer: [{ text: "Over." }] }];
  expect(await run({ turns }, "--approve", "all", "go")).toMatchObject({ status: "done", requests: 56 });
  expect(await run({ turns }, "--approve", "read,edit", "go")).toMatchObject({
    status: "limit",
    requests: 50,
  });
});
