// Property 20: the encoding of a file is known or refused.

const ENCODINGS = ["unit test/unit/node/encodings.test.ts"];
const WRITING = ["unit test/unit/node/write.test.ts"];
const GUESSED = ["unit test/unit/node/guessed-encodings.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a character that the encoding lacks is written as a question mark",
    file: "src/node/files/encodings.ts",
    find: "  if (textOfBytes(body, encoding) !== text) return missingCharacter(text, like);",
    replace: "  if (body.length === 0 && text.length > 0) return missingCharacter(text, like);",
    property: 20,
    tests: ENCODINGS,
  },
  {
    name: "UTF-8 with stray bytes counts as a text that can be written back",
    file: "src/node/files/encodings.ts",
    find: 'isUtf8 ? textOf(text, "utf8", false, false) : undefined',
    replace: 'isUtf8 ? textOf(text, "utf8", false, true) : undefined',
    property: 20,
    tests: ENCODINGS,
  },
  {
    name: "the byte order mark of UTF-16 is lost when the file is written",
    file: "src/node/files/encodings.ts",
    find: "const mark = bom ? markOf(encoding) : [];",
    replace: 'const mark = bom && encoding === "utf8" ? markOf(encoding) : [];',
    property: 20,
    tests: ENCODINGS,
  },
  {
    name: "an encoding that gives as many bytes counts as one that gives the same bytes",
    file: "src/node/files/encodings.ts",
    find: "Buffer.compare(bytesOfText(text, encoding), body) === 0",
    replace: "bytesOfText(text, encoding).length === body.length",
    property: 20,
    tests: ENCODINGS,
  },
  {
    name: "a file with bytes that fit no encoding is written as a whole",
    file: "src/node/files/changed-bytes.ts",
    find: "if (decoded.exact && alternatives.length === 0) return encode(text, file);",
    replace: "if (alternatives.length === 0) return encode(text, file);",
    property: 20,
    tests: [...WRITING, ...GUESSED],
  },
  {
    name: "a guess that is not certain is written like a known encoding",
    file: "src/node/files/changed-bytes.ts",
    find: "if (decoded.exact && alternatives.length === 0) return encode(text, file);",
    replace: "if (decoded.exact) return encode(text, file);",
    property: 20,
    tests: [...WRITING, ...GUESSED],
  },
  {
    name: "the encoding of a short text counts as certain",
    file: "src/node/files/encoding/encoding-guess.ts",
    find: "const LEAST_BYTES = 8;",
    replace: "const LEAST_BYTES = 0;",
    property: 20,
    tests: [...WRITING, ...GUESSED],
  },
  {
    name: "encodings that read all bytes alike count as one",
    file: "src/node/files/encoding/encoding-guess.ts",
    find: "for (const each of possible) for (const twin of twinsOf(each, bytes)) all.add(twin);",
    replace: "",
    property: 20,
    tests: GUESSED,
  },
  {
    name: "an existing file is written in UTF-8, whatever it was in",
    file: "src/node/files/write-file.ts",
    find: "const changed = changedBytes(now.bytes, original, text);",
    replace: 'const changed = encode(text, { encoding: "utf8", bom: original.bom });',
    property: 20,
    tests: WRITING,
  },
];
