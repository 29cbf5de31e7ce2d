// Reviews: where findings are, what they may read, and what is dropped.

const PLACES = ["unit test/unit/core/agent/review/placing.test.ts"];
const WHOLE = ["system test/unit/node/git-review.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a finding whose text several lines have is on the first of them",
    file: "src/core/agent/review/place-finding.ts",
    find: "if (match !== undefined && matches.length === 1)",
    replace: "if (match !== undefined)",
    property: 4,
    tests: PLACES,
  },
  {
    name: "a finding is where its number says, whatever the line's text is",
    file: "src/core/agent/review/place-finding.ts",
    find: "if (at >= 0 && hasText(own, at, quote) && mayBeOn(own, at, named))",
    replace: "if (at >= 0)",
    property: 4,
    tests: PLACES,
  },
  {
    name: "a finding that the change caused is on a line that did not change",
    file: "src/core/agent/review/place-finding.ts",
    find: 'if (named.severity === "pre-existing") return true;',
    replace: "if (named.endLine > 0) return true;",
    property: "src/core/agent",
    tests: PLACES,
  },
  {
    name: "a private key that is masked moves the numbers of the lines below it",
    file: "src/core/agent/review/diff-lines.ts",
    find: "const hidden = inKey || bound !== undefined;",
    replace: "const hidden = bound !== undefined;",
    property: 18,
    tests: PLACES,
  },
  {
    name: "a review sends secrets of the changed lines",
    file: "src/core/agent/review/review-changes.ts",
    find: "reader.mask(withoutKnownSecrets(text))",
    replace: "text",
    property: "src/core/agent",
    tests: WHOLE,
  },
  {
    name: "a refuted finding is listed",
    file: "src/core/agent/review/review-run.ts",
    find: "verdicts.get(finding) !== false",
    replace: "verdicts.get(finding) !== undefined",
    property: "src/core/agent",
    tests: WHOLE,
  },
  {
    name: "a review goes on beyond the cost limit",
    file: "src/core/agent/review/review-run.ts",
    find: "if (maxCost > 0 && this.#request.spentBefore + this.#cost >= maxCost)",
    replace: "if (maxCost > 0 && this.#request.spentBefore >= maxCost)",
    property: "src/core/agent",
    tests: WHOLE,
  },
  {
    name: "files of another folder of the workspace are named without it",
    file: "src/core/agent/review/review-changes.ts",
    find: "const named = (own: string) => prefix + own;",
    replace: "const named = (own: string) => own;",
    property: "src/core/agent",
    tests: WHOLE,
  },
];
