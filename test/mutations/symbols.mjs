// What language servers answer, and the changes that they propose.

const QUESTIONS = ["unit test/unit/core/tools/code-symbols.test.ts"];
const CHANGES = ["unit test/unit/core/tools/refactor-code.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a symbol whose name occurs at several places is the first of them",
    file: "src/core/tools/symbols/symbol-address.ts",
    find: "if (only && named.length === 1)",
    replace: "if (only)",
    property: 4,
    tests: QUESTIONS,
  },
  {
    name: "the empty answer of a language server that is starting counts",
    file: "src/core/tools/code-symbols.ts",
    find: 'return state === "ready"',
    replace: 'return state !== "none"',
    property: 12,
    tests: QUESTIONS,
  },
  {
    name: "references quote files that may not be read",
    file: "src/core/tools/symbols/symbol-report.ts",
    find: "if ((await context.unreadable(path)) !== undefined) return undefined;",
    replace: "",
    property: 18,
    tests: QUESTIONS,
  },
  {
    name: "a rename applies edits that were made for an older text",
    file: "src/core/tools/refactor-code.ts",
    find: 'withEol(known, "\\n") !== withEol(text, "\\n")',
    replace: "known.length < 0",
    property: 4,
    tests: CHANGES,
  },
  {
    name: "a refactoring that also moves files is applied without the moves",
    file: "src/core/tools/refactor-code.ts",
    find: "if (hasOthers)",
    replace: "if (hasOthers && files.length > 1)",
    property: 2,
    tests: CHANGES,
  },
  {
    name: "a rename runs in plan mode",
    file: "src/core/tools/refactor-code.ts",
    find: 'access: "edit"',
    replace: 'access: "read"',
    property: 9,
    tests: ["unit test/unit/core/tools/code-symbols.test.ts", "unit test/unit/core/agent/renames.test.ts"],
  },
  {
    name: "the user's hooks see none of the files that a rename changes",
    file: "src/core/loop/loop.ts",
    find: 'requested.files = paths.filter(({ access }) => access === "write");',
    replace: "requested.files = paths.slice(0, 1);",
    property: 1,
    tests: ["unit test/unit/core/hooks/task-hooks.test.ts"],
  },
  {
    name: "a private file is sent for a change at the cursor",
    file: "src/core/agent/extras/edit-at-cursor.ts",
    find: "if (refused) throw",
    replace: 'if (refused && wish.wish === "") throw',
    property: 17,
    tests: ["unit test/unit/core/agent/edit-at-cursor.test.ts"],
  },
  {
    name: "a change at the cursor whose request ended stays on show",
    file: "src/core/agent/extras/edit-at-cursor.ts",
    find: "    } catch (error) {\n      await preview.discard();\n",
    replace: "    } catch (error) {\n",
    property: 12,
    tests: ["unit test/unit/core/agent/edit-at-cursor.test.ts"],
  },
];
