// An edit changes the lines that it names, or it is refused.

const APPLY = "unit test/unit/core/edits/apply.test.ts";

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a search text that fits two places goes to the first",
    file: "src/core/edits/locate.ts",
    find: 'if (total > 1) return { kind: "several", tier, rows, total };',
    replace: 'if (total > MANY) return { kind: "several", tier, rows, total };',
    property: 4,
    tests: [APPLY],
  },
  {
    name: "an edit with one block that does not fit applies the others",
    file: "src/core/edits/apply-blocks.ts",
    find: "if (failures.length > 0) return refused(placed, undefined);",
    replace: "if (failures.length === placed.length) return refused(placed, undefined);",
    property: 4,
    tests: [APPLY],
  },
  {
    name: "blocks that share one line both apply",
    file: "src/core/edits/apply-blocks.ts",
    find: "(place.start < reached || (place.end === 0 && reached === 0))",
    replace: "(place.start < reached - 1 || (place.end === 0 && reached === 0))",
    property: 4,
    tests: [APPLY],
  },
];
