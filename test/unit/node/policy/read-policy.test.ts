/** The file of a policy: only one that the administrator alone can change counts, and one that cannot be used stops Nekode. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parsePolicy, readPolicy } from "../../../../src/node/policy/read-policy.ts";
import { isAdministrators } from "../../../../src/node/policy/windows-ownership.ts";
import { temporaryFolder } from "../support.ts";

const VALID = { version: 1, managedBy: "Example IT", permissions: { highest: "edits" } };
const nobody = () => undefined;

async function file(content: string): Promise<string> {
  const at = path.join(await temporaryFolder(), "policy.json");
  await writeFile(at, content);
  return at;
}

describe("the file", () => {
  it("is read, and its absence means that nothing is managed", async () => {
    const at = await file(JSON.stringify(VALID));
    expect(readPolicy(at, nobody)).toEqual({
      policy: { managedBy: "Example IT", permissions: { highest: "edits" }, file: at },
    });
    expect(readPolicy(`${at}.missing`)).toBeUndefined();
  });

  it.each([
    ["no JSON", "{"],
    ["an empty file", ""],
    ["an unknown key", JSON.stringify({ ...VALID, permision: {} })],
    ["an unknown key inside", JSON.stringify({ ...VALID, limits: { costPerWeek: 1 } })],
    ["another version", JSON.stringify({ ...VALID, version: 2 })],
    ["no name", JSON.stringify({ version: 1 })],
    ["an impossible level", JSON.stringify({ ...VALID, permissions: { highest: "some" } })],
    ["a pattern of any host", JSON.stringify({ ...VALID, endpoints: ["https://*"] })],
    ["a hash that is none", JSON.stringify({ ...VALID, hooks: { allowed: ["abc"] } })],
    ["a limit of nothing", JSON.stringify({ ...VALID, limits: { costPerTask: 0 } })],
  ])("with %s is refused", async (_what, content) => {
    expect(readPolicy(await file(content), nobody)).toMatchObject({ fault: { code: "invalid" } });
  });

  it("that is a folder, or too large, is refused", async () => {
    const folder = await temporaryFolder();
    expect(readPolicy(folder, nobody)).toMatchObject({ fault: { code: "unreadable" } });
    expect(readPolicy(await file(" ".repeat(1024 * 1024 + 1)), nobody)).toMatchObject({
      fault: { code: "unreadable" },
    });
  });

  it("that somebody else can change is refused, with what they can change", async () => {
    const folder = path.join(await temporaryFolder(), "open");
    await mkdir(folder);
    const at = path.join(folder, "policy.json");
    await writeFile(at, JSON.stringify(VALID));
    await chmod(at, 0o666);
    expect(readPolicy(at)).toMatchObject({ fault: { code: "writable", path: at } });
    await chmod(at, 0o644);
    await chmod(folder, 0o777);
    // Without the administrator's rights, the file itself is the user's.
    expect(readPolicy(at)).toMatchObject({
      fault: { code: "writable", path: process.getuid?.() === 0 ? folder : at },
    });
    await chmod(folder, 0o755);
    const link = path.join(await temporaryFolder(), "policy.json");
    await symlink(at, link);
    await chmod(folder, 0o777);
    expect(readPolicy(link)).toMatchObject({ fault: { code: "writable" } });
  });
});

it("says in one line what is wrong", () => {
  const text = JSON.stringify({ ...VALID, limits: { costPerWeek: 1 }, endpoints: ["ftp://a"] });
  const { fault } = parsePolicy(text, "/etc/policy");
  expect(fault?.code === "invalid" && fault.detail).toMatch(
    /^endpoints\.0: must be a URL.*; limits: .*costPerWeek/,
  );
});

describe("on Windows, a security descriptor", () => {
  it.each([
    ["of the administrators", "O:BAG:SYD:PAI(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x1200a9;;;BU)", true],
    ["of the system", "O:SYG:SYD:(A;ID;FA;;;SY)(A;ID;FR;;;WD)", true],
    ["with an entry for what is made later", "O:BAD:(A;;FA;;;BA)(A;OICIIO;GA;;;CO)", true],
    ["of a user", "O:S-1-5-21-1-2-3-1001G:BAD:(A;;FA;;;BA)", false],
    ["that lets users write", "O:BAD:(A;;FA;;;BA)(A;;FW;;;BU)", false],
    ["that lets users add files", "O:BAD:(A;;FA;;;BA)(A;;0x100116;;;BU)", false],
    ["that lets everybody change rights", "O:BAD:(A;;FA;;;BA)(A;;WD;;;WD)", false],
    ["without a list", "O:BAG:SY", false],
    ["that is empty", "", false],
  ])("%s", (_what, descriptor, isTheirs) => expect(isAdministrators(descriptor)).toBe(isTheirs));
});
