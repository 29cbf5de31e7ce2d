/** A browser in a network of its own, where addresses that belong to others are played, opens those that are public. */
import { describe, expect, it } from "vitest";
import { sampled } from "../../../support/random.ts";
import {
  CLOSED_ADDRESSES,
  CLOSED_NAMES,
  canSeparate,
  PUBLIC_HOSTS,
  startNetwork,
} from "./network-support.ts";
import { heard } from "./support.ts";

describe.runIf(canSeparate)("the browser, where a program can have a network of its own", () => {
  it("opens public addresses and reaches no closed one", async () => {
    const { open, requests } = await startNetwork();
    const [first = "", ...others] = PUBLIC_HOSTS;
    const page = await open(first);
    expect(page.state.title).toBe(`Opened ${first}`);
    for (const host of others) expect((await page.click("link", host)).title).toBe(`Opened ${host}`);
    await page.click("link", first);
    const opened = requests.filter((request) => request.endsWith(" /"));
    expect(new Set(opened).size).toBe(4);

    const before = requests.length;
    // rules.test.ts has all kinds of addresses.
    for (const host of sampled(CLOSED_ADDRESSES, 2)) {
      await page.click("link", host);
      await heard(page, "refused", `${new URL(`http://${host}`).origin}/ was not opened`);
      expect(page.state.title, host).toBe(`Opened ${first}`);
    }
    // The last one, because what the browser itself refuses leaves no page to go on from.
    const [name = ""] = CLOSED_NAMES;
    expect((await page.click("link", name)).text, name).not.toContain("Cats");
    expect(requests.slice(before)).toEqual([]);
  });
});
