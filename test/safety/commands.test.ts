import { describe, expect, it } from "vitest";
import { loadCorpus, meets } from "./corpus.ts";
import { judgeCommand } from "./judge.ts";

describe.each(["safety-cases.json"])("commands of %s", (name) => {
  const { allow, deny, commands } = loadCorpus(name);
  it.each(commands)("%s: %j -> %s", async (shell, command, expected) => {
    const judged = await judgeCommand(command, { shell, allow, deny });
    expect(meets(expected, judged.verdict), `${judged.verdict}: ${judged.reason}`).toBe(true);
  });
});
