// Property 14: whatever is in the transcript, the next request is one that its API accepts.

const HISTORIES = ["unit test/unit/core/provider/damaged-histories.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a call without a result is sent without one",
    file: "src/core/provider/wire-history.ts",
    find: "return calls.map((call) => withFences(results.get(call.id) ?? interrupted(call), protocol));",
    replace: "return calls.flatMap((call) => results.get(call.id) ?? []);",
    property: 14,
    tests: HISTORIES,
  },
  {
    name: "two calls are sent with one id",
    file: "src/core/provider/wire-history.ts",
    find: "number = 2; used.has(id); number++)",
    replace: "number = 2; used.has(id) && number < 2; number++)",
    property: 14,
    tests: HISTORIES,
  },
  {
    name: "half of a surrogate pair is sent",
    file: "src/core/provider/wire-history.ts",
    find: "/[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]/g",
    replace: "/[\\ud800-\\udbff](?![\\udc00-\\udfff])/g",
    property: 14,
    tests: HISTORIES,
  },
  {
    name: "a name that no API accepts is sent back",
    file: "src/core/provider/wire-history.ts",
    find: 'return name.replace(/[^\\w-]/g, "_").slice(0, 64) || "unknown";',
    replace: 'return name.replace(/[^\\w-]/g, "_") || "unknown";',
    property: 14,
    tests: HISTORIES,
  },
  {
    name: "a result of white space is sent as an empty one",
    file: "src/core/provider/chat/wire.ts",
    find: 'content: content.trim() === "" ? EMPTY_RESULT : content });',
    replace: 'content: content === "" ? EMPTY_RESULT : content });',
    property: 14,
    tests: HISTORIES,
  },
  {
    name: "an image that the endpoint refused is sent again after a restart",
    file: "src/core/window/refused.ts",
    find: `if (block.type === "refused" && isRecipientsOwn(block, recipient)) keys.add(block.key);`,
    replace: `if (block.type === "refused" && block.kind === "message" && isRecipientsOwn(block, recipient)) keys.add(block.key);`,
    property: 14,
    tests: ["unit test/unit/core/loop/refused-parts.test.ts"],
  },
];
