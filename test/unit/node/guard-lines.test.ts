/** What the process guard reads, also if the host was killed while it wrote. */
import { expect, it } from "vitest";
import { addLine, parseGuardLine, removeLine } from "../../../src/node/servers/guard-lines.ts";

it("is what the host wrote, and nothing if the line was cut anywhere", () => {
  const mark = "NEKODE_SERVER=a b.c %41\n.";
  for (const [line, expected] of [
    [addLine(12, { leader: 345, mark }), { id: 12, tree: { leader: 345, mark } }],
    [addLine(12, { mark }), { id: 12, tree: { leader: -1, mark } }],
    [removeLine(123), { id: 123, tree: undefined }],
  ] as const) {
    const whole = line.slice(0, -1);
    expect(line.endsWith("\n")).toBe(true);
    expect(parseGuardLine(whole)).toEqual(expected);
    for (let length = 0; length < whole.length; length++)
      expect(parseGuardLine(whole.slice(0, length)), whole.slice(0, length)).toBeUndefined();
  }
});
