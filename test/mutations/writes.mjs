// A file changes only by an approved write, and that is whole or not there at all.

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a file is written although its content is another than was shown",
    file: "src/node/files/write-file.ts",
    find: "now.version !== expectedVersion || decodeAs(now.bytes, original).text !== original.text",
    replace: "now.version !== expectedVersion",
    property: 2,
    tests: ["unit test/unit/node/write.test.ts"],
  },
  {
    name: "a new file takes the place of one that came meanwhile",
    file: "src/node/files/write-file.ts",
    find: "await link(temp, target).catch(",
    replace: "await rename(temp, target).catch(",
    property: 2,
    tests: ["unit test/unit/node/write.test.ts"],
  },
  {
    name: "a write follows a link that was made after the approval",
    file: "src/node/files/write-file.ts",
    find: "if (target === expectedTarget) return;",
    replace: "if (path.basename(target) === path.basename(expectedTarget)) return;",
    property: 2,
    tests: ["unit test/unit/node/write.test.ts"],
  },
  {
    name: "a write that fails leaves its draft behind",
    file: "src/node/files/atomic-write.ts",
    find: "await unlink(temp).catch(() => undefined);",
    replace: "if (temp === file) await unlink(temp);",
    property: 2,
    tests: ["unit test/unit/node/atomic-write.test.ts", "unit test/unit/node/write.test.ts"],
  },
  {
    name: "a patch writes its first files although another one has changed",
    file: "src/core/tools/editing/patch-run.ts",
    find: "      await this.#refuseChanged(order.map(({ step }) => step));\n",
    replace: "",
    property: 2,
    tests: ["unit test/unit/core/tools/apply-patch.test.ts"],
  },
  {
    name: "a rejected edit is saved",
    file: "src/core/loop/loop.ts",
    find: "if (!approved) {\n      await this.#results.rejected",
    replace: "if (!approved && comment !== undefined) {\n      await this.#results.rejected",
    property: 2,
    tests: ["unit test/unit/core/loop/loop.test.ts"],
  },
  {
    name: "the mode of a file is lost when it is written",
    file: "src/node/files/write-file.ts",
    find: "await handle.chmod(mode & 0o7777);",
    replace: "await handle.chmod(mode & 0o666);",
    property: 2,
    tests: ["unit test/unit/node/write.test.ts"],
  },
];
