/** What works in a copy of a repository changes nothing in the repository itself, whatever path a model names. */
import { expect, it } from "vitest";
import {
  CHANGES,
  calls,
  changedInWorktree,
  DONE,
  git,
  lastLine,
  nekode,
  placeOfEachTest,
  project,
  server,
  told,
  userFiles,
} from "./copies-place.ts";

placeOfEachTest();

/** By absolute paths, which are those of the copy then, and in vain by a link that leads from the copy to the repository. */
const answers = () => [calls(`${project.folder}/`), calls("link/"), [DONE]];

/** Where the link leads to. */
async function linkedFiles(): Promise<unknown> {
  const files = Object.entries(await userFiles());
  return files.filter(([name]) => name.startsWith("linked"));
}

it("a task in a worktree, by absolute paths, and not by an absolute link in the repository", async () => {
  server.setScript({ turns: answers().map((answer) => ({ answer })) });
  await changedInWorktree(CHANGES.length);
  expect(told()).toContain("belongs to the original project");
});

it("a task that a task started, by absolute paths, and not by an absolute link in the repository", async () => {
  server.setScript({
    turns: [
      {
        match: { firstUser: "have it changed", request: 1 },
        answer: [{ tool: "start_task", params: { description: "change it", kind: "work" } }],
      },
      { match: { firstUser: "have it changed" }, answer: [DONE] },
      ...answers().map((answer) => ({ match: { firstUser: "change it" }, answer })),
    ],
  });
  const before = await linkedFiles();
  // Without the permission for edits, the changes of the worktree are proposed and wait.
  const { code, stdout } = await nekode("--permission", "all", "--json", "have it changed");
  expect(code).toBe(0);
  // What the user allowed is applied as a whole, and counted.
  expect(lastLine(stdout).files).toEqual(CHANGES);
  expect(await linkedFiles()).toEqual(before);
  expect(told()).toContain("belongs to the original project");
});

it("a replay, by absolute paths, and not by an absolute link in the repository", async () => {
  server.setScript({ turns: answers().map((answer) => ({ answer })) });
  const { stdout } = await nekode("--permission", "all", "--json", "change it");
  git("reset", "-q", "--hard");
  git("clean", "-qfd");
  const before = await userFiles();
  const replayed = await nekode("replay", lastLine(stdout).session, "--permission", "all", "--json");
  expect(await userFiles()).toEqual(before);
  const { files } = JSON.parse(replayed.stdout);
  const changed = files.filter(({ kind }: { kind: string }) => kind !== "unchanged");
  expect(
    changed.map(({ path: name, kind }: { path: string; kind: string }) => ({ path: name, kind })),
  ).toEqual(CHANGES);
});
