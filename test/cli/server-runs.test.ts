/** MCP servers in tasks of the terminal host, with real servers. */
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  addEverything,
  calls,
  configure,
  DONE,
  env,
  light,
  model,
  patient,
  placeOfEachTest,
  project,
  prompt,
  result,
  sent,
  task,
  trace,
} from "./server-runs-place.ts";

placeOfEachTest();

describe("the user's server", () => {
  it("is called after an approval that shows the tool and its arguments", async () => {
    await project.run(["mcp", "add", "every", "--", light().command, ...light().args]);
    calls("echo", { a: 2, b: 40 });
    const { code, stdout } = await project.converse(task(), patient, [["this tool", "y\r"]]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/every \/ echo\r?\n\{\r?\n {2}"a": 2,\r?\n {2}"b": 40\r?\n\}/);
    expect(result()).toContain('{"a":2,"b":40}');
    expect(stdout).toContain("All done.");
  });

  it("that fails is named with its output, and the task continues", async () => {
    const failing = ["-e", 'console.error("no database"); process.exit(3)', project.folder];
    await project.run(["mcp", "add", "every", "--", process.execPath, ...failing]);
    calls("echo", { message: "one" });
    const { code, stdout, stderr } = await project.run(task("--approve", "mcp"), patient);
    expect(stderr).toContain(
      "nekode: The MCP server every failed: the server exited with code 3\n  The server's last output:\n  no database\n",
    );
    expect({ code, stdout: stdout.includes("All done.") }).toEqual({ code: 0, stdout: true });
  });
});

describe("a project's server", () => {
  it("is not started with nobody to ask; how to approve it is named, and the task runs", async () => {
    await configure({ every: { command: process.execPath, args: ["-e", trace, project.folder] } });
    model.setScript({ turns: [DONE] });
    const { code, stderr } = await project.run(task("--approve", "all"), env);
    expect(code).toBe(0);
    expect(stderr).toContain("nekode mcp add --project every");
    expect(existsSync(path.join(project.folder, "started"))).toBe(false);
    expect(sent()).not.toContain("## every");
  });

  it("starts after a yes on the terminal to what is shown, and is used", async () => {
    await configure({ every: light() });
    calls("echo", { message: "hello" });
    const { code, stdout } = await project.converse(task("--approve", "mcp"), patient, [
      ["[y]es or [n]o", "y\r"],
    ]);
    expect(stdout).toContain(`args: ${light().args[0]}`);
    expect(code).toBe(0);
    expect(result()).toContain('{"message":"hello"}');
    calls("echo", { message: "again" });
    expect((await project.run(task("--approve", "mcp"), patient)).code).toBe(0);
    expect(result()).toContain('{"message":"again"}');
  });

  it("does not start after a no, which holds for the run", async () => {
    await configure({ every: { command: process.execPath, args: ["-e", trace, project.folder] } });
    model.setScript({ turns: [DONE, DONE] });
    const { code, stdout } = await project.converse(["--protocol", "xml"], patient, [
      ["> ", "first\r"],
      ["[y]es or [n]o", "n\r"],
      ["All done.", ""],
      ["> ", "second\r"],
      ["All done.", ""],
      ["> ", "/exit\r"],
    ]);
    expect(code).toBe(0);
    expect(stdout.split("[y]es or [n]o")).toHaveLength(2);
    expect(existsSync(path.join(project.folder, "started"))).toBe(false);
  });
});

describe("a server's question", () => {
  it("is answered field by field on the terminal", async () => {
    await addEverything();
    calls("trigger-elicitation-request", {});
    const { code, stdout } = await project.converse(task("--approve", "mcp"), patient, [
      ["Answer? [y]es or [n]o", "y\r"],
      ["String:", "Neko\r"],
      ["Boolean (optional)", "maybe\r"],
      ["not a valid answer", "y\r"],
      ["String with default", "\r"],
      ["email", "\r"],
      ["uri", "\r"],
      ["date", "\r"],
      ["Integer", "\r"],
      ["Number in range", "\r"],
      ["Untitled Single", "\r"],
      ["Untitled Multiple", ", 2\r"],
      ["Titled Single", "\r"],
      ["Titled Multiple", "\r"],
      ["Legacy", "\r"],
    ]);
    expect({ code, done: stdout.includes("All done.") }).toEqual({ code: 0, done: true });
    expect(sent()).toContain("Neko");
    expect(sent()).toMatch(/Guitar.*Piano/);
  });
});

describe("a prompt of a server as a command", () => {
  it("is filled in by its server, with the resource that the message mentions", async () => {
    await addEverything();
    model.setScript({ turns: [DONE] });
    const text = "/every:args-prompt city=Tokyo @every:demo://resource/dynamic/text/7";
    const { code, stdout } = await project.run(prompt(text), patient);
    expect({ code, done: stdout.includes("All done.") }).toEqual({ code: 0, done: true });
    expect(sent()).toContain(
      '<server_prompt server=\\"every\\" prompt=\\"args-prompt\\">\\nWhat\'s weather in Tokyo',
    );
    expect(sent()).toContain(
      '<resource server=\\"every\\" uri=\\"demo://resource/dynamic/text/7\\">\\nResource 7: This is a plaintext',
    );
  });
});
