/** "w" or "?" at an approval on a terminal explains it, and the question is still there. */
import { expect, it } from "vitest";
import { startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

it.each(["w", "?"])("explains an approval on the terminal: %s", async (key) => {
  const server = await startModelServer();
  const project = await Project.create({ "a.txt": "a\n" });
  try {
    const params = { command: "git status && touch new.txt", requires_approval: false };
    server.setScript({
      turns: [
        { match: { request: 1 }, answer: [{ tool: "execute_command", params }] },
        { match: { request: 2 }, answer: [{ tool: "attempt_completion", params: { result: "It ran." } }] },
      ],
    });
    const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
    const { code, stdout } = await project.converse(
      ["--approve", "read,command-safe", "--sandbox", "off", "Run it"],
      env,
      [
        ["[w]hy", `${key}\r`],
        ["- touch new.txt: requires approval", ""],
        ["[w]hy", "n\r"],
      ],
    );
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("Reason: touch new.txt is not on the allow list");
    expect(stdout).toContain("Command: touch new.txt");
    expect(stdout).toContain("To allow without asking: add `touch new.txt` to nekode.commands.allow");
    await expect(project.read("new.txt")).rejects.toThrow("ENOENT");
  } finally {
    await server.close();
    await project.remove();
  }
});
