/**
 * A browser in a network of its own, where addresses that belong to others are played, launched on each of them. For `npm test`,
 * public.test.ts goes to most of them by the links of one page.
 */
import { describe, expect, it } from "vitest";
import {
  CLOSED_ADDRESSES,
  CLOSED_NAMES,
  canSeparate,
  PUBLIC_HOSTS,
  startNetwork,
} from "./network-support.ts";

describe.runIf(canSeparate)("the browser, where a program can have a network of its own", () => {
  it("opens public addresses and reaches no closed one", async () => {
    const { open, requests } = await startNetwork();
    for (const host of PUBLIC_HOSTS) expect((await open(host)).state.title).toBe(`Opened ${host}`);
    const opened = requests.filter((request) => request.endsWith(" /"));
    expect(new Set(opened).size).toBe(4);

    const before = requests.length;
    for (const host of [...CLOSED_ADDRESSES, ...CLOSED_NAMES])
      await expect(open(host), host).rejects.toThrow();
    // What a page of a public site asks for.
    const page = await open("cats.example");
    expect(page.state.title).toBe("Opened cats.example");
    expect(requests.slice(before).filter((request) => !request.startsWith("cats.example "))).toEqual([]);
  });
});
