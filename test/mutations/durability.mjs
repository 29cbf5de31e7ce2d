// What was said is on disk before anything follows from it, and comes back as it was.

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a message is announced before it is stored",
    file: "src/core/loop/transcript.ts",
    find: "if (this.#isStored) await this.#deps.store.append(this.id, message, totals && { totals });",
    replace: "if (this.#isStored) void this.#deps.store.append(this.id, message, totals && { totals });",
    property: 5,
    tests: ["unit test/unit/core/agent/full-disk.test.ts", "unit test/unit/core/loop/loop.test.ts"],
  },
  {
    name: "what the user wrote is not synced",
    file: "src/core/loop/transcript.ts",
    find: "if (message.display !== undefined) await this.sync();",
    replace: 'if (message.display === "") await this.sync();',
    property: 5,
    tests: ["unit test/unit/core/agent/synced.test.ts"],
  },
  {
    name: "a command starts before the journal is synced",
    file: "src/core/loop/calls/run-call.ts",
    find: "if (mayChangeAnything(prepared)) await conversation.sync();",
    replace: "if (!mayChangeAnything(prepared)) await conversation.sync();",
    property: 5,
    tests: ["unit test/unit/core/agent/synced.test.ts"],
  },
  {
    name: "a torn record at the end of a journal counts as damage",
    file: "src/core/sessions/journal/journal.ts",
    find: "return findMark(rest, 0) === 0 && rest.length < HEADER_LENGTH + length && findMark(rest, 1) < 0;",
    replace: "return findMark(rest, 0) === 0 && rest.length === HEADER_LENGTH + length;",
    property: 5,
    tests: ["unit test/unit/core/sessions/journal.test.ts"],
  },
  {
    name: "a damaged record is taken for whole",
    file: "src/core/sessions/journal/journal.ts",
    find: "return crc32(body) === view.getUint32(8) ? body : undefined;",
    replace: "return body;",
    property: 5,
    tests: ["unit test/unit/core/sessions/journal.test.ts"],
  },
  {
    name: "a call that had started is forgotten",
    file: "src/core/loop/transcript.ts",
    find: 'await this.#deps.store.markCall(this.id, callId, "started")',
    replace: "await this.#deps.store.sync()",
    property: 5,
    tests: ["unit test/unit/core/agent/synced.test.ts"],
  },
  {
    name: "a kept content is restored although its hash does not fit",
    file: "src/core/checkpoints/inline-contents.ts",
    find: "return bytes && (await sha256(bytes)) === hash ? bytes : undefined;",
    replace: "return bytes;",
    property: "src/core/checkpoints",
    tests: ["system test/unit/core/checkpoints/power-failure.test.ts"],
  },
];
