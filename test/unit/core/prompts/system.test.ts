/** The system prompt: its sections in order, each tool documented alike, its examples true calls; in a long and a short form. */
import { describe, expect, it } from "vitest";
import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { applyPatch } from "../../../../src/core/edits/patch/patch.ts";
import { parseAssistantMessage } from "../../../../src/core/index.ts";
import type { PromptFacts } from "../../../../src/core/prompts/prompt-facts.ts";
import { PROMPT_SECTIONS, sectionText, systemPrompt } from "../../../../src/core/prompts/sections.ts";
import type { Protocol } from "../../../../src/core/provider/provider.ts";
import { defaultTools, ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { SERVER_TOOLS } from "../../../../src/core/tools/servers/server-tools.ts";
import type { Wording } from "../../../../src/core/tools/set/tool-set.ts";

const registry = new ToolRegistry();

function factsOf(
  protocol: Protocol,
  wording: Wording,
  more: Partial<PromptFacts> = {},
  tools = registry,
): PromptFacts {
  return {
    ...{ protocol, wording },
    offered: new Set(tools.offered(protocol).map(({ name }) => name)),
    documentation: tools.documentation(wording),
    abilities: tools.tools.flatMap(({ ability }) => ability ?? []),
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
    agent: undefined,
    toolRules: [],
    ...more,
  };
}

const prompt = (...facts: Parameters<typeof factsOf>) => systemPrompt(factsOf(...facts));

const sectionsOf = (text: string) => text.split("\n\n====\n\n");
const titles = (text: string) =>
  sectionsOf(text)
    .slice(1)
    .map((section) => section.split("\n", 1)[0]);
const without = (...names: string[]) =>
  new ToolRegistry(defaultTools.filter(({ name }) => !names.includes(name)));

const FORMS = (["native", "xml"] as const).flatMap((protocol) =>
  (["full", "compact"] as const).map((wording) => [protocol, wording] as const),
);

describe("the system prompt", () => {
  it.each(FORMS)("has the reference's sections in its order under %s, %s", (protocol, wording) => {
    const text = prompt(protocol, wording);
    expect(text).toMatch(/^You are Nekode, /);
    expect(titles(text)).toEqual([
      "TOOL USE",
      "AUTOMATIC TODO LIST MANAGEMENT",
      "EDITING FILES",
      ...(wording === "full" ? ["RUNNING COMMANDS"] : []),
      "ACT MODE V.S. PLAN MODE",
      "UPDATING TASK PROGRESS",
      "CAPABILITIES",
      "RULES",
      "SYSTEM INFORMATION",
      "OBJECTIVE",
      "USER'S CUSTOM INSTRUCTIONS",
    ]);
    expect(sectionsOf(text).at(-1)).toMatch(/# Preferred Language\n\nWrite to the user in Japanese\.$/);
    expect(sectionsOf(text).at(-3)).toBe(
      "SYSTEM INFORMATION\n\nOperating System: Linux\nIDE: Visual Studio Code\nDefault Shell: /bin/bash\nHome Directory: /home/person\nCurrent Working Directory: /project",
    );
  });

  it.each(FORMS)(
    "is its list of sections under %s, %s, and what is counted apart is a part of them",
    (protocol, wording) => {
      const facts = factsOf(protocol, wording, {
        servers: "## cats",
        rules: "# Rules from a.md",
        customInstructions: "",
      });
      const texts = PROMPT_SECTIONS.map((section) => sectionText(section, facts)).filter(
        (text) => text !== "",
      );
      expect(sectionsOf(systemPrompt(facts))).toEqual(texts);
      const counted = PROMPT_SECTIONS.flatMap((section) => {
        const part = section.counted?.text(facts);
        if (part !== undefined && protocol === "xml") expect(sectionText(section, facts)).toContain(part);
        return section.counted ? [section.counted.kind] : [];
      });
      expect(counted).toEqual(["tools", "servers", "rules"]);
    },
  );

  it("has no section for instructions that nobody gave", () => {
    expect(prompt("xml", "full", { preferredLanguage: "" })).not.toContain("CUSTOM INSTRUCTIONS");
  });

  it.each(["full", "compact"] as const)("documents each tool alike, under XML alone, %s", (wording) => {
    const text = prompt("xml", wording);
    for (const tool of registry.tools) {
      const params = [...tool.input.params.map(({ name }) => name), "task_progress"];
      const start = text.indexOf(`## ${tool.name}\nDescription: `);
      expect(start, tool.name).toBeGreaterThan(0);
      const section = text.slice(start, text.indexOf(`</${tool.name}>`, start));
      for (const name of params) {
        // A name alone says nothing.
        expect(section).toMatch(new RegExp(`^- ${name}: \\((?:required|optional)(?:; .+\\)|\\) \\S)`, "m"));
        expect(section).toContain(`<${name}>...</${name}>`);
      }
      expect(section).toContain(`\nUsage:\n<${tool.name}>\n`);
    }
    expect(prompt("native", wording)).not.toContain("Description: ");
    expect(prompt("native", wording)).not.toContain("# Tool Use Examples");
  });

  it.each(FORMS)("tells under %s, %s what the reference tells of the way to work", (protocol, wording) => {
    const text = prompt(protocol, wording);
    for (const told of [
      /(?:Do not show|without showing) the change in your text first/,
      /search_files expression/,
      /images closely/,
      /Say in a few words what a command does/,
      /never ask for an optional one/,
      /command that shows it/,
    ])
      expect(text).toMatch(told);
  });

  it.each(FORMS)("says under %s, %s how a turn ends", (protocol, wording) => {
    expect(prompt(protocol, wording)).toContain("A message without a call ends your turn.");
  });

  it.each([
    ["ja", "Japanese"],
    ["pt-BR", "Brazilian Portuguese"],
    ["Japanese", "Japanese"],
    ["Thai", "Thai"],
    ["日本語", "日本語"],
  ])("names the language of the setting %s", (preferredLanguage, name) => {
    expect(prompt("native", "full", { preferredLanguage })).toContain(`Write to the user in ${name}.`);
  });

  it("says nothing of commands in short if no command can run", () => {
    const told = "You cannot type into it";
    expect(prompt("xml", "compact")).toContain(told);
    expect(prompt("xml", "compact", {}, without("execute_command"))).not.toContain(told);
  });

  it("says in full what each parameter means and what its default is", () => {
    for (const { name, guide, input } of [...registry.tools, ...SERVER_TOOLS]) {
      expect(guide?.description, name).toMatch(/^[A-Z].*\.$/ms);
      for (const param of input.params)
        expect(Object(guide?.params)[param.name], `${name}.${param.name}`).toMatch(/\.$/);
    }
    const native = JSON.stringify(registry.native("full"));
    expect(native).toContain("Default: 0, which returns at once.");
    expect(native.length).toBeGreaterThan(JSON.stringify(registry.native("compact")).length);
  });

  // `npm run bench -- --startup` reports how large it is.
  it("is the same from task to task, up to the user's own instructions", () => {
    const [shared = "", own] = prompt("xml", "full").split("USER'S CUSTOM INSTRUCTIONS");
    expect(own).toBeDefined();
    expect(prompt("xml", "full", { rules: "# Rules", preferredLanguage: "en" })).toSatisfy((other: string) =>
      other.startsWith(shared),
    );
  });
});

describe("examples", () => {
  const withServers = new ToolRegistry();
  for (const tool of SERVER_TOOLS) withServers.add(tool);

  function calls(text: string, tools: ToolRegistry): string[] {
    const examples = text.slice(text.indexOf("# Tool Use Examples"), text.indexOf("# Tool Use Guidelines"));
    return parseAssistantMessage(examples, tools.grammar()).flatMap((call) => {
      if (call.type !== "tool") return [];
      const { name, params, partial } = call;
      const resolved = tools.resolve({ type: "tool-call", id: "1", name, params, partial });
      expect(resolved).toMatchObject({ ok: true });
      return [name];
    });
  }

  it("are calls as they are read, in both forms", () => {
    expect(calls(prompt("xml", "full", {}, withServers), withServers)).toEqual([
      "execute_command",
      "write_to_file",
      "replace_in_file",
      "apply_patch",
      "read_file",
      "read_file",
      "search_files",
      "ask_followup_question",
      "plan_mode_respond",
      "use_mcp_tool",
      "browser_action",
      "new_task",
      "attempt_completion",
    ]);
    expect(calls(prompt("xml", "compact", {}, withServers), withServers)).toEqual([
      "execute_command",
      "write_to_file",
      "replace_in_file",
      "read_file",
      "search_files",
    ]);
  });

  it("edit the file that they are written for", () => {
    const values = (name: string) =>
      parseAssistantMessage(prompt("xml", "full"), registry.grammar()).flatMap((call) =>
        call.type === "tool" && call.name === name ? [call.params] : [],
      );
    const reset = "function reset() {\n  write(0);\n}\n\n";
    const next = "export function next() {\n  write(read() + 1);\n}\n\n";
    const [blocks] = values("replace_in_file");
    expect(
      applySearchReplace(`import { read } from "./store";\n\n${next}${reset}`, String(blocks?.diff)),
    ).toMatchObject({ ok: true, content: `import { read, write } from "./store";\n\n${reset}${next}` });

    const counter = (read: string) => `export function next() {
  const step = 1;
  const value = ${read}();
  write(value + step);
  return value + step;
}

export function current() {
  return ${read}();
}
`;
    const [patch] = values("apply_patch");
    expect(applyPatch(String(patch?.input), () => counter("read"))).toMatchObject({
      ok: true,
      changes: [{ kind: "update", content: counter("load") }, { kind: "delete" }],
    });
  });

  it("are of tools that the session has, and counted without gaps", () => {
    const text = prompt("xml", "full", {}, without("browser_action", "write_to_file"));
    expect(text).not.toMatch(/browser_action|<write_to_file>|use_mcp_tool/);
    const numbers = [...text.matchAll(/^## Example (\d+):/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe("what a session cannot use", () => {
  const reading = defaultTools.filter(
    ({ name, access }) => access === "read" || name === "attempt_completion",
  );

  it.each(["native", "xml"] as const)("is not in its prompt under %s", (protocol) => {
    const text = prompt(protocol, "full", {}, new ToolRegistry(reading));
    expect(titles(text)).not.toEqual(expect.arrayContaining(["EDITING FILES"]));
    const offered = reading.map(({ name }) => name);
    for (const { name } of defaultTools)
      if (!offered.includes(name)) expect(text, name).not.toMatch(new RegExp(`\\b${name}\\b`));
  });
});
