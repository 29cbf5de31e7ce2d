/** Whose change a file is, when sessions change it one after another or at once. */
import { expect, it } from "vitest";
import { ChangeOwners } from "../../../../src/core/checkpoints/change-owners.ts";

const PATH = "/project/f";
const file = (hash: string) => ({ kind: "file" as const, hash, size: 1 });
const changed = (before: string, after: string) => ({ path: PATH, before: file(before), after: file(after) });

it("an edit that begins after a command's files were compared leaves them the command's", () => {
  const owners = new ChangeOwners();
  const period = { since: owners.now, until: owners.now };
  const command = [changed("original", "of the command")];
  const edit = owners.begin("other", [PATH]);
  expect(owners.own("session", period, command)).toEqual(command);
  expect(owners.isOthers("session", period, PATH)).toBe(false);
  edit.end([changed("of the command", "of the edit")]);
  expect(owners.own("session", period, command)).toEqual(command);
  expect(owners.isOthers("session", period, PATH)).toBe(false);
});

it("a command that ends after them leaves them the first command's", () => {
  const owners = new ChangeOwners();
  const period = { since: owners.now, until: owners.now };
  const command = [changed("original", "of the command")];
  owners.ended("other", [changed("of the command", "of the other one")]);
  expect(owners.own("session", period, command)).toEqual(command);
  expect(owners.own("session", period, [changed("original", "of the other one")])).toEqual([]);
});

it("an edit in progress when they are compared makes them the edit's, also once it ended", () => {
  const owners = new ChangeOwners();
  const since = owners.now;
  const edit = owners.begin("other", [PATH]);
  const period = { since, until: owners.now };
  const seen = [changed("original", "half of the edit")];
  expect(owners.own("session", period, seen)).toEqual([]);
  edit.end([changed("original", "of the edit")]);
  expect(owners.own("session", period, seen)).toEqual([]);
  expect(owners.isOthers("session", period, PATH)).toBe(true);
});

it("an edit that ended while the command ran is where the command's change begins", () => {
  const owners = new ChangeOwners();
  const since = owners.now;
  owners.begin("other", [PATH]).end([changed("original", "of the edit")]);
  const period = { since, until: owners.now };
  expect(owners.own("session", period, [changed("original", "of the edit")])).toEqual([]);
  expect(owners.own("session", period, [changed("original", "of the command")])).toEqual([
    changed("of the edit", "of the command"),
  ]);
});
