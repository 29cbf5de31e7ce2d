/** A browser in a network of its own, where addresses that belong to others are played, opens those that are public. */
import { describe, expect, it } from "vitest";
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
    for (const host of CLOSED_ADDRESSES) {
      await page.click("link", host);
      await heard(page, "refused", `${new URL(`http://${host}`).origin}/ was not opened`);
      expect(page.state.title, host).toBe(`Opened ${first}`);
    }
    const [name = ""] = CLOSED_NAMES;
    await expect(open(name), name).rejects.toThrow();
    expect(requests.slice(before)).toEqual([]);
  });
});
