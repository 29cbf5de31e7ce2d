/** Adds a sentence to each text as an edit would, and says what came of it. */
import { changedBytes } from "../../../src/node/files/changed-bytes.ts";
import { bytesOfText } from "../../../src/node/files/encoding/codecs.ts";
import { decode } from "../../../src/node/files/encodings.ts";
import type { Sample } from "./corpus.ts";

export interface TriedEncoding {
  encoding: string;
  texts: number;
  /** Texts that were read as they are. */
  read: number;
  added: number;
  refused: number;
  wrong: number;
}

/** `wrong`: the texts to which other bytes were written. */
export async function triedSamples(
  samples: readonly Sample[],
): Promise<{ rows: TriedEncoding[]; wrong: string[] }> {
  const rows = new Map<string, TriedEncoding>();
  const wrong: string[] = [];
  for (const { language, encoding, size, text, bytes, added } of samples) {
    const row = rows.get(encoding) ?? { encoding, texts: 0, read: 0, added: 0, refused: 0, wrong: 0 };
    rows.set(encoding, row);
    row.texts += 1;
    const decoded = await decode(bytes);
    if (decoded.kind !== "text") {
      row.refused += 1;
      continue;
    }
    if (decoded.text === text) row.read += 1;
    // A line of ASCII is changed too, which must not fail.
    const ascii = changedBytes(bytes, decoded, `# 1\n${decoded.text}`);
    const isKept = ascii.ok && Buffer.from(ascii.bytes).subarray(prefix(encoding)).equals(bytes);
    const changed = changedBytes(bytes, decoded, `${decoded.text}${added}\n`);
    const expected = Buffer.concat([bytes, bytesOfText(`${added}\n`, encoding)]);
    const isRight = changed.ok && Buffer.from(changed.bytes).equals(expected);
    if (!isKept || (changed.ok && !isRight)) {
      row.wrong += 1;
      wrong.push(`${encoding}, ${language}, ${size}: read as ${decoded.encoding}`);
    } else if (changed.ok) row.added += 1;
    else row.refused += 1;
  }
  return { rows: [...rows.values()], wrong };
}

const prefix = (encoding: string) => bytesOfText("# 1\n", encoding).length;
