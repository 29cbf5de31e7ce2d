/** Entries of `nekode.connections` as the user may have written them. */
import { describe, expect, it } from "vitest";
import { expectedText } from "../../../src/shared/words/issue-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { readSettings } from "../../../src/vscode/settings-reader.ts";

const GOOD = { name: "local", baseUrl: "http://127.0.0.1:11434/v1" };

function read(connections: unknown) {
  const { settings, bad } = readSettings(
    (key) => (key === "connections" ? { globalValue: connections } : undefined),
    true,
  );
  return {
    names: settings.connections.map(({ name }) => name),
    told: bad.map(({ key, entry, issue }) => [key, entry, expectedText(translator({}), issue)]),
  };
}

describe("connections in the settings", () => {
  it.each<[string, unknown, string | undefined, string]>([
    ["a name with a space", { ...GOOD, name: "my server" }, "name", "Must not be empty"],
    ["an address that is a number", { ...GOOD, baseUrl: 5 }, "baseUrl", "Must be a string."],
    ["no address", { name: "local" }, "baseUrl", "Must be a string."],
    ["an unknown API", { ...GOOD, api: "soap" }, "api", "Must be one of: chat"],
    ["a header that is a number", { ...GOOD, headers: { a: 1 } }, "a", "Must be a string."],
    ["no object", "http://127.0.0.1", undefined, "Must be an object."],
  ])("%s: only that entry is left out, and its field is named", (_, wrong, field, expected) => {
    const second = { ...GOOD, name: "second" };
    const { names, told } = read([wrong, GOOD, wrong, second]);
    expect(names).toEqual(["local", "second"]);
    expect(told).toEqual([
      ["connections", field === undefined ? "1" : `1: ${field}`, expect.stringContaining(expected)],
    ]);
  });

  it("two faults of one entry leave out no other entry", () => {
    expect(read([{ name: "a b", baseUrl: 5 }, GOOD]).names).toEqual(["local"]);
  });

  it("a value that is no list leaves the default", () => {
    expect(read("none")).toEqual({ names: [], told: [["connections", undefined, "Must be an array."]] });
  });
});
