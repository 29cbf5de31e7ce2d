/** The buffer on an estimate that nothing has corrected yet: 1.5 where tools stand in the request, whichever way. */

import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../../src/core/context/tokens.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { type RequestFrame, Sizer } from "../../../../src/core/window/sizer.ts";
import { TokenMeter } from "../../../../src/core/window/token-meter.ts";
import { modelAt } from "../../../support/connections.ts";

const profile = new ModelProfiles().of(modelAt("", "m"));
const registry = new ToolRegistry();
const xml: RequestFrame = { system: registry.documentation(), tools: [], protocol: "xml", profile };
const native: RequestFrame = { system: "Be brief.", tools: registry.native(), protocol: "native", profile };
const bare: RequestFrame = { system: "Be brief.", tools: [], protocol: "native", profile };
const sizer = (frame: RequestFrame, meter = new TokenMeter()) => new Sizer(frame, meter, 10_000);
const fixed = ({ system, tools }: RequestFrame) =>
  estimateTokens(system) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));

describe("the expected size of a prompt", () => {
  it.each([
    ["tools documented in the system prompt", xml, 1.5],
    ["tools sent as schemas", native, 1.5],
    ["no tools", bare, 1.2],
  ] as const)("with %s", (_, frame, buffer) => {
    expect(sizer(frame).predict(0)).toBe(Math.ceil(fixed(frame) * buffer));
    expect(sizer(frame).predict(1_000)).toBe(Math.ceil((fixed(frame) + 1_000) * buffer));
  });

  it("leaves messages the room that the buffer leaves", () => {
    expect(sizer(xml).rawFor(1)).toBeCloseTo(10_000 / 1.5 - fixed(xml), -1);
  });

  it("refuses by the smaller buffer alone", () => {
    expect(sizer(xml).leastFixed).toBe(Math.ceil(fixed(xml) * 1.2));
  });

  it("follows the endpoint's own count once there is one", () => {
    const meter = new TokenMeter();
    meter.observe(fixed(xml), fixed(xml));
    expect(sizer(xml, meter).predict(0)).toBe(fixed(xml));
  });
});
