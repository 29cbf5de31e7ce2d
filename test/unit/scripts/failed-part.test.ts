import { describe, expect, it } from "vitest";
import { failedPart } from "../../../scripts/lib/failed-part.mjs";

const PASSED = Array.from({ length: 100 }, (_, index) => `   ✓ does thing ${index} ${index}ms`).join("\n");

describe("what is printed of a failed suite", () => {
  it("begins with the failures, also those outside any test", () => {
    const failed = "⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯\n\n FAIL  |cli| a.test.ts > does it\n";
    const unhandled = "⎯⎯⎯ Unhandled Errors ⎯⎯⎯\n\nVitest caught 1 unhandled error\nError: late\n";
    expect(failedPart(`${PASSED}\n\n${failed}\n${unhandled}`)).toBe(`${failed}\n${unhandled}`);
    expect(failedPart(`${PASSED}\n\n${unhandled}`)).toBe(unhandled);
  });

  it("is the end of the output without what passed if vitest itself failed", () => {
    expect(failedPart(`${PASSED}\n\nThe worker ended.\n`)).toBe("\nThe worker ended.");
  });
});
