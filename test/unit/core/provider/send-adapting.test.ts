/**
 * Whatever an endpoint answers, a request ends: within so many tries as the adaptations allow, never sent again exactly as
 * it was but for the tries that waiting is worth, and never after something of the answer was shown.
 */

import { describe, expect, it } from "vitest";
import { ProviderError } from "../../../../src/core/errors.ts";
import {
  type FailedRequest,
  fallBackToXml,
  firstPlan,
  formAdaptations,
  MAX_RETRIES,
  type RequestPlan,
  retryAfterDelay,
} from "../../../../src/core/provider/adaptations.ts";
import { withSource } from "../../../../src/core/provider/catalog/fact-layers.ts";
import { type ModelProfile, ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { sendAdapting } from "../../../../src/core/provider/send-adapting.ts";
import { smallerWindow } from "../../../../src/core/window/fit.ts";
import type { ErrorCode } from "../../../../src/shared/models/request-error.ts";
import { modelAt } from "../../../support/connections.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

/** Words that an adaptation looks for, alone and together. */
const WORDS = [
  "stream_options",
  "max_completion_tokens",
  "expected a string, but got an array",
  "The `reasoning_content` must be passed back",
  "Tool call id must be of length of 9",
  "This model does not support image input",
  "Failed to decode image",
  "does not support tools",
  "maximum context length is 4096 tokens",
  "busy",
];
const CODES: ErrorCode[] = [
  "bad-request",
  "server-error",
  "rate-limited",
  "context-length",
  "unreachable",
  "connection-lost",
  "bad-key",
];
const failures = fc.record({
  code: fc.constantFrom(...CODES),
  detail: fc.subarray(WORDS, { minLength: 1 }).map((all) => all.join(". ")),
  transient: fc.boolean(),
  retryAfterMs: fc.option(fc.nat(20 * 60_000), { nil: undefined }),
  images: fc.nat(9),
});

const tableOf = (profile: ModelProfile) => [
  ...formAdaptations(profile),
  retryAfterDelay(() => 0.5),
  smallerWindow({ learn: () => profile.learnStatedWindow(4_096) }),
  fallBackToXml,
];

/** What a plan changes in a request, but for how often it was sent. */
const formOf = ({ protocol, withImages, maxImages, quirks, refits }: RequestPlan) =>
  JSON.stringify([
    protocol,
    withImages,
    String(maxImages),
    [...quirks].map(({ name }) => name).sort(),
    refits,
  ]);

type Said = typeof failures extends fc.Arbitrary<infer T> ? T : never;

/** Plays the answers in turn, the last one for ever; `shownAt`: the try of which something is shown. */
async function play(answers: readonly Said[], shownAt = Number.POSITIVE_INFINITY) {
  const profile = new ModelProfiles().of(modelAt("http://x/v1", "m"));
  const plans: RequestPlan[] = [];
  const waits: number[] = [];
  const table = tableOf(profile);
  const { failed } = await sendAdapting(firstPlan(profile, "auto"), table, profile, {
    async send(plan) {
      plans.push(plan);
      if (plans.length > 1_000) throw new Error("it does not end");
      const { code, detail, transient, retryAfterMs, images } =
        answers[Math.min(plans.length, answers.length) - 1] ?? expect.fail();
      const error = new ProviderError({ code, detail }, { transient, retryAfterMs });
      const failed: FailedRequest = { error, shown: plans.length >= shownAt, images };
      return { result: plans.length, failed };
    },
    wait: async (delayMs) => void waits.push(delayMs),
  });
  const changes = table.filter(({ change }) => change).reduce((sum, { most }) => sum + most, 0);
  return { profile, plans, waits, failed, most: (1 + changes) * (1 + MAX_RETRIES) };
}

describe("a request that fails", () => {
  it("ends within the bound, and repeats itself only where waiting is worth it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(failures, { minLength: 1, maxLength: 40 }), async (answers) => {
        const { plans, waits, failed, most } = await play(answers);
        expect(failed).toBeDefined();
        expect(plans.length).toBeLessThanOrEqual(most);
        const sent = new Map<string, number[]>();
        for (const plan of plans) sent.set(formOf(plan), [...(sent.get(formOf(plan)) ?? []), plan.attempt]);
        for (const attempts of sent.values()) {
          expect(attempts).toEqual(attempts.map((_, index) => index + 1));
          expect(attempts.length).toBeLessThanOrEqual(1 + MAX_RETRIES);
        }
        // Each repetition was waited for, and nothing else was.
        expect(waits).toHaveLength(plans.length - sent.size);
      }),
      { numRuns: rounds(200, 2_000) },
    );
  });

  it("is never sent again once something of the answer was shown, though what it says is learned", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(failures, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 10 }),
        async (answers, shownAt) => {
          const { plans } = await play(answers, shownAt);
          expect(plans.length).toBeLessThanOrEqual(shownAt);
        },
      ),
      { numRuns: rounds(100, 1_000) },
    );
    const noTools = { code: "bad-request" as const, detail: "does not support tools" };
    const { plans, profile } = await play(
      [{ ...noTools, transient: false, retryAfterMs: undefined, images: 0 }],
      1,
    );
    expect([plans.length, profile.protocol]).toEqual([1, "xml"]);
  });

  it("whose endpoint is busy between refusals gets its tries anew with each change", async () => {
    const none = { transient: false, retryAfterMs: undefined, images: 1 };
    const busy = { ...none, code: "server-error" as const, detail: "busy", transient: true };
    const refusals = ["stream_options", "Failed to decode image", "does not support tools"];
    const { plans } = await play(
      refusals.flatMap((detail) => [busy, busy, { ...none, code: "bad-request" as const, detail }]),
    );
    expect(plans.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
    expect(plans.at(-1)).toMatchObject({ protocol: "xml", withImages: false });
  });
});

describe("what one task learned, the next one knows", () => {
  const none = { transient: false, retryAfterMs: undefined, images: 1 };
  it.each<[string, Partial<RequestPlan>]>([
    ["does not support tools", { protocol: "xml" }],
    ["This model does not support image input", { withImages: false }],
  ])("%s", async (detail, plan) => {
    const { profile } = await play([{ ...none, code: "bad-request", detail }]);
    expect(firstPlan(profile, "auto")).toMatchObject(plan);
  });

  it("of that model at that endpoint, and of no other", () => {
    const profiles = new ModelProfiles();
    const profile = profiles.of(modelAt("http://x/v1", "m"));
    profile.learnXml();
    expect(profiles.of(modelAt("http://x/v1", "m"))).toBe(profile);
    for (const [url, model] of [
      ["http://x/v1", "n"],
      ["http://y/v1", "m"],
      ["http://x/v1 m", ""],
    ] as const)
      expect(profiles.of(modelAt(url, model)).protocol).toBe("native");
  });

  it("but a window that was stated is asked for again by the next task", () => {
    const profiles = new ModelProfiles();
    const profile = profiles.of(modelAt("http://x/v1", "m"));
    profile.learnListed(withSource({ window: 32_768 }, "endpoint"));
    profile.learnStatedWindow(8_192);
    expect(profile.window(0)).toBe(8_192);
    profiles.forgetPassing();
    expect([profile.window(0), profile.window(4_096)]).toEqual([32_768, 4_096]);
  });
});
