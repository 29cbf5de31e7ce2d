import { expect, it } from "vitest";
import { groupedDigits } from "../../../../src/shared/text/grouped-digits.ts";

it("writes numbers as the runtime's format of English does", () => {
  const numbers = [
    0, 7, 999, 1_000, 14_367, 200_000, 1_047_576, 12_345_678.9, 1_047.576, 131.072, 0.5, 32.768, 99.9996,
  ];
  for (const number of [...numbers, ...numbers.map((each) => -each - 1)])
    expect(groupedDigits(number)).toBe(number.toLocaleString("en-US"));
});
