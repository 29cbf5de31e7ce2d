// The host owns the state: the panel may reload, hide or end at any time.

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a panel that returns is not told what it missed",
    file: "src/vscode/panel/sending/event-stream.ts",
    find: "if (this.#behind) this.#ends.sendSnapshot",
    replace: "if (this.#behind && this.#pending.length > 0) this.#ends.sendSnapshot",
    property: 7,
    tests: ["unit test/unit/vscode/bridge.test.ts"],
  },
  {
    name: "events that were collected before the panel hid are lost",
    file: "src/vscode/panel/sending/event-stream.ts",
    find: "      this.#drop();\n      this.#behind = true;\n    }\n  }",
    replace: "      this.#drop();\n    }\n  }",
    property: 7,
    tests: ["unit test/unit/vscode/event-stream.test.ts"],
  },
  {
    name: "the panel goes back to an older snapshot",
    file: "webview-ui/store.ts",
    find: "if (this.#next === undefined || snapshot.seq >= this.#next) {",
    replace: "if (this.#next === undefined || snapshot.seq <= this.#next) {",
    property: 7,
    tests: ["unit test/unit/webview/store.test.ts"],
  },
  {
    name: "a message for a page that is not open is lost",
    file: "src/vscode/panel/bridge.ts",
    find: "if (pageOpen && visible) server.notify(name, params);\n      else outbox.hold(name, params);",
    replace:
      "if (pageOpen && visible) server.notify(name, params);\n      else if (pageOpen) outbox.hold(name, params);",
    property: 7,
    tests: ["unit test/unit/vscode/bridge.test.ts"],
  },
  {
    name: "a queued message of a reopened session stays in the draft too",
    file: "src/vscode/panel/drafts.ts",
    find: "    this.#previousQueue = this.#previousQueue.filter((message) => !isReturning(message));\n",
    replace: "",
    property: 7,
    tests: ["unit test/unit/vscode/drafts.test.ts"],
  },
  {
    name: "the host takes over an older draft that a page remembers",
    file: "src/vscode/panel/drafts.ts",
    find: "if (update.at > (this.#draft?.at ?? 0)) this",
    replace: "if (update.at < (this.#draft?.at ?? 0)) this",
    property: 7,
    tests: ["unit test/unit/vscode/drafts.test.ts"],
  },
  {
    name: "a page remembers a screen on which the agent works",
    file: "webview-ui/remembered-screen.ts",
    find: "if (isBusy || !setup) return null;",
    replace: "if (!setup) return null;",
    property: 7,
    tests: ["unit test/unit/webview/remembered-screen.test.ts"],
  },
  {
    name: "a page remembers a turn without its beginning",
    file: "webview-ui/remembered-screen.ts",
    find: 'if (row.kind === "user") start = index;',
    replace: "start = index;",
    property: 7,
    tests: ["unit test/unit/webview/remembered-screen.test.ts"],
  },
];
