import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFileSecrets } from "../../../src/node/store/secret-file.ts";
import { temporaryFolder } from "./support.ts";

describe("secrets in a file", () => {
  it("are kept, replaced and deleted", async () => {
    const file = path.join(await temporaryFolder(), "data", "secrets.json");
    const secrets = createFileSecrets(file);
    expect(await secrets.get("token")).toBeUndefined();
    await secrets.set("token", "one");
    await secrets.set("token", "two");
    expect(await createFileSecrets(file).get("token")).toBe("two");
    expect(await secrets.get("toString")).toBeUndefined();
    await secrets.delete("token");
    expect(await secrets.get("token")).toBeUndefined();
  });

  it("can be read by the user alone, whatever the process's mask is", async () => {
    const file = path.join(await temporaryFolder(), "data", "secrets.json");
    const before = process.umask(0);
    try {
      await createFileSecrets(file).set("token", "one");
    } finally {
      process.umask(before);
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  });

  it("are all kept when several hosts write at once", async () => {
    const file = path.join(await temporaryFolder(), "secrets.json");
    const names = Array.from({ length: 10 }, (_, index) => `token-${index}`);
    await Promise.all(names.map((name) => createFileSecrets(file).set(name, name)));
    expect(await Promise.all(names.map((name) => createFileSecrets(file).get(name)))).toEqual(names);
  });

  it("in another form are neither used nor overwritten, nor repeated in the error", async () => {
    const file = path.join(await temporaryFolder(), "secrets.json");
    await writeFile(file, '{"token": ["private"]}');
    const failing = createFileSecrets(file).set("other", "one");
    await expect(failing).rejects.toThrow(`The file ${file} does not contain secrets in the expected form.`);
    expect(await readFile(file, "utf8")).toBe('{"token": ["private"]}');
  });
});
