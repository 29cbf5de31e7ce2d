import { expect, it } from "vitest";
import { SessionTotals } from "../../../../src/core/loop/limits/usage-totals.ts";
import { emptyTotals } from "../../../../src/shared/totals.ts";

it("what several tasks spent is added up, although none of it is stored yet when the next ends", () => {
  const totals = new SessionTotals();
  totals.load({ ...emptyTotals, requests: 1, cost: 0.1 });
  const [first, second] = [2, 3].map((requests) => totals.with([{ ...emptyTotals, requests, cost: 0.2 }]));
  expect(totals.stored.requests).toBe(1);
  expect(first && totals.store(first)).toEqual({ requests: 2, cost: expect.closeTo(0.2) });
  expect(second && totals.store(second)).toEqual({ requests: 3, cost: expect.closeTo(0.2) });
  expect(totals.stored).toMatchObject({ requests: 6, cost: expect.closeTo(0.5) });
});
