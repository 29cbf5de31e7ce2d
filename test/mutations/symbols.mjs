// What language servers answer, and the changes that they propose.

const QUESTIONS = ["unit test/unit/core/tools/code-symbols.test.ts"];
const NOTEBOOKS = ["unit test/unit/core/loop/notebooks-loop.test.ts"];
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
    name: "a position in a notebook counts after the notebook changed",
    file: "src/core/tools/edit-notebook.ts",
    find: 'hasIds ? "in place" : "whole"',
    replace: '"in place"',
    property: 4,
    tests: NOTEBOOKS,
  },
  {
    name: "a cell of a notebook runs where only safe commands run unasked",
    file: "src/core/tools/run-cell.ts",
    find: "runsInEditor: true,",
    replace: "received: true,",
    property: 1,
    tests: ["unit test/unit/core/tools/run-cell.test.ts"],
  },
  {
    name: "a change of a cell writes the notebook's JSON anew",
    file: "src/core/tools/notebooks/notebook-changes.ts",
    find: "  return text.slice(0, start) + replacement + text.slice(end);",
    replace: "  return JSON.stringify(JSON.parse(text.slice(0, start) + replacement + text.slice(end)));",
    property: 3,
    tests: ["unit test/unit/core/tools/notebook-changes.test.ts"],
  },
  {
    name: "the user's hooks see none of the files that a rename changes",
    file: "src/core/loop/loop.ts",
    find: '{ files: paths.filter(({ access }) => access === "write") }',
    replace: "{ files: paths.slice(0, 1) }",
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
