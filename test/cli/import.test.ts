/** `nekode import`, as a user of the terminal has it: listed, confirmed, imported once, searched, and continued as a copy. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { env, idOf, placeOfEachTest, project, ran, server } from "./history-place.ts";

placeOfEachTest();

/** A session of Claude Code that worked in the project's folder. */
async function claudeSession(name: string, ...texts: string[]): Promise<void> {
  const folder = path.join(project.environment.HOME ?? "", ".claude/projects/-app");
  await mkdir(folder, { recursive: true });
  const lines = texts.map((content, index) =>
    JSON.stringify({
      type: index % 2 === 0 ? "user" : "assistant",
      uuid: `${name}-${index}`,
      parentUuid: index === 0 ? null : `${name}-${index - 1}`,
      cwd: project.folder,
      timestamp: `2026-05-01T10:00:0${index}.000Z`,
      message: { role: index % 2 === 0 ? "user" : "assistant", model: "claude", content },
    }),
  );
  await writeFile(path.join(folder, `${name}.jsonl`), `${lines.join("\n")}\n{"type":"assis`);
}

it("asks before it imports, imports once, and continues as a copy", async () => {
  await claudeSession("one", "Where is the cat?", "In the box.");
  const unasked = await project.run(["import"], env);
  expect(unasked.stdout).toContain("Claude Code: 1 session, ");
  expect(unasked.stdout).toContain(`  ${project.folder}: 1 session, `);
  expect([unasked.code, unasked.stderr]).toEqual([4, expect.stringContaining("Nothing was imported.")]);
  expect(await ran("import", "--dry-run")).toContain("Would be imported: 1. Imported before: 0.");
  expect(await ran("--list")).toBe("");

  const imported = await project.run(["import", "--yes", "--from", "claude", "--from", "codex"], env);
  expect(imported.stdout).toContain("Imported: 1. Imported before: 0. Could not be imported: 0.");
  expect(imported.stderr).toContain("Claude Code: Where is the cat? (one): 1 entry could not be read.");
  expect(await ran("import", "--yes")).toContain("Imported: 0. Imported before: 1.");

  const id = await idOf("in the box");
  await ran("--resume", id, "And the dog?");
  const request = JSON.stringify(server.requests.at(-1));
  expect(request).toContain("Where is the cat?");
  expect(request).toContain("And the dog?");
  const listed = (await ran("--list", "--json")).trim().split("\n");
  const sessions = listed.map((line) => JSON.parse(line));
  expect(sessions.map(({ origin, messageCount }) => [origin?.product, messageCount > 2])).toEqual([
    [undefined, true],
    ["claude", false],
  ]);
});

it("writes a line of JSON for each session, only for those of a folder", async () => {
  await claudeSession("one", "Where is the cat?");
  const [line = "", ...more] = (await ran("import", "--json", "--yes", "--folder", ".")).trim().split("\n");
  expect(more).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({
    product: "claude",
    originalId: "one",
    folder: project.folder,
    state: "imported",
    unreadable: 1,
  });
  expect(await ran("import", "--yes", "--folder", "nowhere")).toBe(
    "No sessions of other agents were found.\n",
  );
  const wrong = await project.run(["import", "--from", "copilot"], env);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("--from must be one of cline, roo,"),
  ]);
});
