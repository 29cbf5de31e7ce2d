import { describe, expect, it } from "vitest";
import { systemInfo } from "../../../src/node/machine.ts";

const runtime = Intl.DateTimeFormat().resolvedOptions();

describe("what is known of the machine", () => {
  it("has the runtime's own locale and time zone", () => {
    const { locale, timeZone, isLocalZone } = systemInfo(process.env);
    // A zone can have several names.
    const known = Intl.DateTimeFormat(undefined, { timeZone }).resolvedOptions().timeZone;
    expect({ locale, zone: known, isLocalZone }).toEqual({
      ...{ locale: runtime.locale, zone: runtime.timeZone },
      isLocalZone: true,
    });
  });

  it.each(["", ":Asia/Tokyo", "EST5EDT", "GMT+1", "Etc/GMT-9", "../Asia/Tokyo", "a\nb"])(
    "asks the runtime where the time zone is no plain name: %j",
    (TZ) => {
      expect(systemInfo({ ...process.env, TZ }).timeZone).toBe(runtime.timeZone);
    },
  );

  it.each([
    ["Asia/Tokyo", "Asia/Tokyo"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["Etc/UTC", "UTC"],
    ["UTC", "UTC"],
  ])("takes the plain name of a time zone: %s", (TZ, zone) => {
    expect(systemInfo({ ...process.env, TZ }).timeZone).toBe(zone);
  });
});
