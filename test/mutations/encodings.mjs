// Property 20: the encoding of a file is known or refused.

const ENCODINGS = ["unit test/unit/node/encodings.test.ts"];
const WRITING = ["unit test/unit/node/write.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a character that the encoding lacks is written as a question mark",
    file: "src/node/files/encodings.ts",
    find: "  if (decodePlain(body, encoding) !== text) return missingCharacter(text, like);",
    replace: "  if (body.length === 0 && text.length > 0) return missingCharacter(text, like);",
    property: 20,
    tests: ENCODINGS,
  },
  {
    name: "UTF-8 with stray bytes counts as a text that can be written back",
    file: "src/node/files/encodings.ts",
    find: 'textOf(text, "utf8", false, false) : undefined',
    replace: 'textOf(text, "utf8", false, true) : undefined',
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
    find: "return Buffer.compare(again, bytes) === 0 ? text : undefined;",
    replace: "return again.length === bytes.length ? text : undefined;",
    property: 20,
    tests: ENCODINGS,
  },
  {
    name: "a file with bytes that fit no encoding is written back",
    file: "src/node/files/write-file.ts",
    find: 'if (decoded.kind !== "text" || !decoded.exact) {',
    replace: 'if (decoded.kind !== "text") {',
    property: 20,
    tests: WRITING,
  },
  {
    name: "an existing file is written in UTF-8, whatever it was in",
    file: "src/node/files/write-file.ts",
    find: 'encode(text, original ?? { encoding: "utf8", bom })',
    replace: 'encode(text, { encoding: "utf8", bom: original?.bom ?? bom })',
    property: 20,
    tests: WRITING,
  },
];
