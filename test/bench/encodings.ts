/** Texts whose encoding nothing names, and what comes of adding a sentence to them. */
import { nameOfEncoding } from "../../src/shared/text/encoding-name.ts";
import { encodingSamples } from "../support/encodings/corpus.ts";
import { type TriedEncoding, triedSamples } from "../support/encodings/tries.ts";

export async function triedEncodings(): Promise<TriedEncoding[]> {
  const { rows, wrong } = await triedSamples(encodingSamples(8));
  for (const text of wrong) console.log(`written wrongly: ${text}`);
  return rows;
}

export function triedEncodingsText(rows: readonly TriedEncoding[]): string {
  return rows
    .map(({ encoding, texts, read, added, refused, wrong }) => {
      const name = nameOfEncoding(encoding).padEnd(14);
      return `${name} ${texts} texts, ${read} read correctly, ${added} added, ${refused} refused, ${wrong} wrong`;
    })
    .join("\n");
}
