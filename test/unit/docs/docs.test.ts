/** What the documents say is there is there. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const repository = path.join(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(path.join(repository, name), "utf8");
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

describe.each(["CONTRIBUTING.md", "README.md", "README.ja.md"])("%s", (name) => {
  const text = read(name);

  it("names files and folders that exist", () => {
    const named = [
      ...text.matchAll(/`((?:src|test|docs|webview-ui|scripts|l10n|media)\/[\w./-]+?)`|\]\(([\w./-]+)\)/g),
    ];
    const paths = named.map((match) => match[1] ?? match[2] ?? "");
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
  });

  it("names commands that exist", () => {
    const commands = [...text.matchAll(/`npm run ([\w:-]+)/g)].map((match) => match[1] ?? "");
    expect(commands.filter((command) => scripts[command] === undefined)).toEqual([]);
  });
});
