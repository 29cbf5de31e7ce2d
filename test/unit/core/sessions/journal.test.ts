import { describe, expect, it } from "vitest";
import { crc32 } from "../../../../src/core/bytes.ts";
import { decodeFrames, encodeFrame } from "../../../../src/core/sessions/journal/journal.ts";
import type { JournalRecord } from "../../../../src/core/sessions/journal/records.ts";
import { readRecord } from "../../../../src/core/sessions/journal/records.ts";
import { fc } from "../../../support/property.ts";

const record = (seq: number, title: string): JournalRecord => ({
  op: "update",
  seq,
  at: "2025-01-01T00:00:00.000Z",
  session: "s",
  patch: { title },
});
const three = [record(1, "one"), record(2, "猫 \u00f5NKJ"), record(3, "three")];
const frames = three.map(encodeFrame);
const whole = Buffer.concat(frames);
const ends = frames.map((_, index) => Buffer.concat(frames.slice(0, index + 1)).length);

describe("a journal's frames", () => {
  it("have the checksum of the standard", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it("lose nothing but the record that a write was cut off in, at each byte", () => {
    for (let length = 0; length <= whole.length; length++) {
      const content = decodeFrames(whole.subarray(0, length), readRecord);
      const complete = ends.filter((end) => end <= length).length;
      expect(content).toEqual({
        records: three.slice(0, complete),
        end: ends[complete - 1] ?? 0,
        damagedBytes: 0,
        unknown: 0,
        damagedSessions: new Set(),
      });
    }
  });

  it("are found again after damage, which is told from a torn end", () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        const hit = ends.findIndex((end) => at < end);
        const content = decodeFrames(bytes, readRecord);
        expect(content.records).toEqual(three.filter((_, index) => index !== hit));
        const isLast = hit === ends.length - 1;
        // A length that was made larger looks like an end that is still to come.
        if (!isLast) expect(content.damagedBytes).toBeGreaterThan(0);
      }),
    );
  });

  it("are not thrown away when a newer version wrote them", () => {
    const odd = encodeFrame({ ...record(1, "x"), op: "hologram" } as unknown as JournalRecord);
    expect(decodeFrames(Buffer.concat([odd, whole]), readRecord)).toMatchObject({
      unknown: 1,
      damagedBytes: 0,
    });
  });

  it("survive noise of any kind around them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (before, after) => {
        const content = decodeFrames(Buffer.concat([before, whole, after]), readRecord);
        expect(content.records).toEqual(three);
      }),
    );
  });
});
