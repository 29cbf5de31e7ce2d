/** The system prompt in the reference's form: its sections in order, each tool documented alike, its examples true calls. */
import { describe, expect, it } from "vitest";
import { parseAssistantMessage } from "../../../../src/core/index.ts";
import { systemPrompt } from "../../../../src/core/prompts/system-prompt.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";

const registry = new ToolRegistry();
const prompt = (protocol: "native" | "xml", more = {}) =>
  systemPrompt({
    protocol,
    documentation: registry.documentation(),
    abilities: registry.tools.flatMap(({ ability }) => ability ?? []),
    servers: "",
    serversDeferred: false,
    root: "/project",
    os: "Linux",
    shell: "/bin/bash",
    home: "/home/person",
    hostName: "Visual Studio Code",
    customInstructions: "",
    preferredLanguage: "ja",
    rules: "",
    toolRules: [],
    ...more,
  });

describe("the system prompt", () => {
  it.each(["native", "xml"] as const)("has the reference's sections in its order under %s", (protocol) => {
    const sections = prompt(protocol).split("\n\n====\n\n");
    expect(sections[0]).toMatch(/^You are Nekode, /);
    expect(sections.slice(1).map((section) => section.split("\n", 1)[0])).toEqual([
      "TOOL USE",
      "AUTOMATIC TODO LIST MANAGEMENT",
      "EDITING FILES",
      "ACT MODE V.S. PLAN MODE",
      "UPDATING TASK PROGRESS",
      "CAPABILITIES",
      "RULES",
      "SYSTEM INFORMATION",
      "OBJECTIVE",
      "USER'S CUSTOM INSTRUCTIONS",
    ]);
    expect(sections.at(-1)).toMatch(/# Preferred Language\n\nSpeak in ja\.$/);
    expect(sections[8]).toBe(
      "SYSTEM INFORMATION\n\nOperating System: Linux\nIDE: Visual Studio Code\nDefault Shell: /bin/bash\nHome Directory: /home/person\nCurrent Working Directory: /project",
    );
  });

  it("has no section for instructions that nobody gave", () => {
    expect(prompt("xml", { preferredLanguage: "" })).not.toContain("CUSTOM INSTRUCTIONS");
  });

  it("documents each tool as the reference does, under the XML protocol alone", () => {
    const text = prompt("xml");
    for (const tool of registry.tools) {
      const params = [...tool.input.params.map(({ name }) => name), "task_progress"];
      const start = text.indexOf(`## ${tool.name}\nDescription: `);
      expect(start, tool.name).toBeGreaterThan(0);
      const section = text.slice(start, text.indexOf(`</${tool.name}>`, start));
      for (const name of params) {
        expect(section).toMatch(new RegExp(`^- ${name}: \\((?:required|optional)\\)(?: |$)`, "m"));
        expect(section).toContain(`<${name}>...</${name}>`);
      }
      expect(section).toContain(`\nUsage:\n<${tool.name}>\n`);
    }
    expect(prompt("native")).not.toContain("Description: ");
    expect(prompt("native")).not.toContain("# Tool Use Examples");
  });

  it.each(["native", "xml"] as const)(
    "tells under %s what the reference tells of the way to work",
    (protocol) => {
      const text = prompt(protocol);
      for (const told of [
        /Do not show the change in your text first/,
        /search_files expression/,
        /images closely/,
        /Say in a few words what a command does/,
        /never ask for an optional one/,
        /command that shows it/,
      ])
        expect(text).toMatch(told);
    },
  );

  // `npm run bench -- --startup` reports how large it is.
  it("is the same from task to task, up to the user's own instructions", () => {
    const [shared = "", own] = prompt("xml").split("USER'S CUSTOM INSTRUCTIONS");
    expect(own).toBeDefined();
    expect(prompt("xml", { rules: "# Rules", preferredLanguage: "en" })).toSatisfy((other: string) =>
      other.startsWith(shared),
    );
  });

  it("gives examples that are calls as we read them", () => {
    const text = prompt("xml");
    const examples = text.slice(text.indexOf("# Tool Use Examples"), text.indexOf("# Tool Use Guidelines"));
    const calls = parseAssistantMessage(examples, registry.grammar()).filter(({ type }) => type === "tool");
    expect(calls.map((call) => call.type === "tool" && call.name)).toEqual([
      "execute_command",
      "write_to_file",
      "replace_in_file",
      "read_file",
      "search_files",
      "new_task",
    ]);
    for (const call of calls) {
      if (call.type !== "tool") continue;
      const { name, params, partial } = call;
      expect(registry.resolve({ type: "tool-call", id: "1", name, params, partial })).toMatchObject({
        ok: true,
      });
    }
  });
});
