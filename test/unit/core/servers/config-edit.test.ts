/** Entries are added to a configuration file and removed from it as its author would. */
import { describe, expect, it } from "vitest";
import {
  hasServer,
  type Json,
  withInputs,
  withoutServer,
  withServer,
  withServerValue,
} from "../../../../src/core/servers/config/config-edit.ts";
import { parseServerFile } from "../../../../src/core/servers/config/configuration.ts";
import { checkServer, readPastedServers } from "../../../../src/core/servers/config/pasted-servers.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

const entry = { command: "npx", args: ["-y"] };
const servers = (text: string) => {
  const { servers: found, problems } = parseServerFile({ source: "user", file: "/mcp.json", text });
  expect(problems).toEqual([]);
  return found.map(({ name, launch }) => [name, launch]);
};

describe("adding", () => {
  it("creates the file's content, and keeps comments of an empty one", () => {
    const text = `{
  "mcpServers": {
    "a": {
      "command": "npx",
      "args": [
        "-y"
      ]
    }
  }
}
`;
    expect(withServer("", "a", entry)).toBe(text);
    expect(withServer("// mine", "a", entry)).toBe(`// mine\n${text}`);
    expect(withServer("{}", "a", entry)).toBe(text.trimEnd());
    expect(withServer('{\n  "mcpServers": {}\n}\n', "a", entry)).toBe(text);
  });

  it("uses the file's indentation, line ends and key", () => {
    expect(
      withServer('{\r\n\t"servers": {\r\n\t\t"b": {"command": "x"} // note\r\n\t}\r\n}', "a", {
        command: "y",
      }),
    ).toBe(
      '{\r\n\t"servers": {\r\n\t\t"b": {"command": "x"}, // note\r\n\t\t"a": {\r\n\t\t\t"command": "y"\r\n\t\t}\r\n\t}\r\n}',
    );
    expect(withServer('{"mcpServers": {"b": {"command": "x"}}}', "a", "y")).toBe(
      '{"mcpServers": {"b": {"command": "x"}, "a": "y"}}',
    );
    expect(withServer('{\n  "mcpServers": {\n    "b": 1, // note\n    // end\n  },\n}', "a", 2)).toBe(
      '{\n  "mcpServers": {\n    "b": 1, // note\n    "a": 2,\n    // end\n  },\n}',
    );
  });

  it("replaces the entry of the same name", () => {
    expect(
      withServer('{\n  "mcpServers": {\n    "my server": 1, // note\n    "b": 2\n  }\n}', "my-server", 3),
    ).toBe('{\n  "mcpServers": {\n    "my server": 3, // note\n    "b": 2\n  }\n}');
  });

  it("adds the inputs that are missing", () => {
    const text = '{\n  "mcpServers": {\n    "a": 1\n  }\n}';
    const one = withInputs(text, [{ id: "x", type: "promptString" }]);
    expect(JSON.parse(one)).toEqual({ mcpServers: { a: 1 }, inputs: [{ id: "x", type: "promptString" }] });
    expect(withInputs(one, [{ id: "x", type: "other" }])).toBe(one);
    expect(JSON.parse(withInputs(one, [{ id: "y" }]))).toMatchObject({ inputs: [{ id: "x" }, { id: "y" }] });
  });

  it("refuses a file that is not valid, with its line", () => {
    for (const change of [() => withServer('{\n"a" 1}', "a", 1), () => withoutServer("[]", "a")])
      expect(change).toThrow("not valid JSON");
    expect(() => withServer('{\n"a" 1}', "a", 1)).toThrow(
      expect.objectContaining({ fault: { code: "config-not-json", values: ["2"] } }),
    );
  });
});

describe("removing", () => {
  it("removes the entry with its comma and line, and nothing else", () => {
    const text = `{
  // All.
  "mcpServers": {
    // First.
    "a": {"command": "1"}, // note of a
    // Second.
    "b": {"command": "2"}, // note of b
    "c": {"command": "3"} // note of c
  }
}
`;
    const without = (line: RegExp) => text.replace(line, "");
    expect(withoutServer(text, "a")).toBe(without(/ {4}"a".*\n/));
    expect(withoutServer(text, "b")).toBe(without(/ {4}"b".*\n/));
    expect(withoutServer(text, "c")).toBe(without(/ {4}"c".*\n/).replace('"2"},', '"2"}'));
    expect(withoutServer(text, "d")).toBeUndefined();
  });

  it("leaves no comma behind, and finds the entry by the name under which it is used", () => {
    expect(withoutServer('{"mcpServers": {"a b": 1,},}', "a-b")).toBe('{"mcpServers": {},}');
    expect(withoutServer('{"mcpServers": {"a": 1, "b": 2}}', "a")).toBe('{"mcpServers": {"b": 2}}');
    expect(withoutServer('{"mcpServers": {"a": 1, "b": 2}}', "b")).toBe('{"mcpServers": {"a": 1 }}');
  });

  it("removes every entry of the name, so that none of them comes to apply", () => {
    const text = '{"servers": {"a": 1}, "mcpServers": {"a": 2, "b": 3, "a": 4}}';
    expect(JSON.parse(withoutServer(text, "a") ?? "")).toEqual({ servers: {}, mcpServers: { b: 3 } });
  });
});

describe("a value", () => {
  it("is set in an entry", () => {
    const text = '{\n  "mcpServers": {\n    "a": {\n      "command": "x" // run\n    }\n  }\n}';
    const off = withServerValue(text, "a", "disabled", true) ?? "";
    expect(off).toBe(text.replace('"x" // run', '"x", // run\n      "disabled": true'));
    expect(withServerValue(off, "a", "disabled", false)).toBe(off.replace("true", "false"));
    expect(withServerValue(text, "b", "disabled", true)).toBeUndefined();
    expect([hasServer(text, "a"), hasServer(text, "b")]).toEqual([true, false]);
  });
});

describe("whatever the file looks like", () => {
  const gap = fc.constantFrom("", " ", "\n", "\n  ", " // c\n", "\n    // ü\n    ", " /* d */ ", "\r\n\t");
  const name = fc.constantFrom("a", "b", "c", "d", "e");
  const file = fc
    .tuple(
      fc.uniqueArray(name, { maxLength: 4 }),
      fc.array(gap, { minLength: 24, maxLength: 24 }),
      fc.constantFrom("servers", "mcpServers"),
      fc.boolean(),
    )
    .map(([names, gaps, key, comma]) => {
      let i = 0;
      const next = () => gaps[i++ % gaps.length] ?? "";
      const entries = names.map(
        (each, at) =>
          `${next()}"${each}"${next()}:${next()}{"command": "${each}"}${next()}${comma || at < names.length - 1 ? "," : ""}`,
      );
      const text = `${next()}{${next()}"${key}":${next()}{${entries.join("")}${next()}}${next()}}${next()}`;
      return { text, names };
    });
  const comments = (text: string) => text.match(/\/\/[^\r\n]*|\/\*.*?\*\//g)?.length ?? 0;
  const launch = (command: string) => ({ type: "stdio", command, args: [], env: {} });

  it("adding keeps all other entries and comments, and removing it again gives the same servers", () => {
    fc.assert(
      fc.property(file, ({ text, names }) => {
        const added = withServer(text, "new", { command: "new" });
        expect(servers(added)).toEqual([...names, "new"].map((each) => [each, launch(each)]));
        expect(comments(added)).toBe(comments(text));
        const removed = withoutServer(added, "new") ?? "";
        expect(servers(removed)).toEqual(servers(text));
        expect(removed.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
      { numRuns: rounds(100, 1_000) },
    );
  });

  it("removing keeps all other entries, and at most the comment on the same line goes", () => {
    fc.assert(
      fc.property(file, fc.nat(), ({ text, names }, which) => {
        const gone = names[which % Math.max(1, names.length)];
        if (gone === undefined) return;
        const removed = withoutServer(text, gone) ?? "";
        expect(servers(removed)).toEqual(
          names.filter((each) => each !== gone).map((each) => [each, launch(each)]),
        );
        expect(comments(text) - comments(removed)).toBeLessThanOrEqual(4);
        for (const kept of names.filter((each) => each !== gone))
          expect(removed).toContain(`{"command": "${kept}"}`);
      }),
      { numRuns: rounds(100, 1_000) },
    );
  });

  it("any name and any value can be added", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (key, value) => {
        // JSON has no negative zero.
        const plain: Json = JSON.parse(JSON.stringify(value));
        const added = withServer('{"mcpServers": {"a": 1}}', key, plain);
        const parsed: unknown = JSON.parse(added);
        if (key !== "__proto__") expect(parsed).toMatchObject({ mcpServers: { [key]: plain } });
      }),
    );
  });
});

describe("pasted JSON", () => {
  const inner = '{"command": "npx", "args": ["-y", "pkg"]}';
  const expected = { name: "one", entry: { command: "npx", args: ["-y", "pkg"] }, inputs: [] };

  it.each([
    ["a configuration file", `{"mcpServers": {"one": ${inner}}}`],
    ["VS Code's file", `{"servers": {"one": ${inner}}}`],
    ["VS Code's settings", `{"mcp": {"servers": {"one": ${inner}}}}`],
    ["a map", `{"one": ${inner}}`],
    ["a part of a map", `  "one": ${inner},\n`],
    ["a part of a file", `"mcpServers": {"one": ${inner}}`],
    ["a code block", `\`\`\`json\n{"mcpServers": {\n// comment\n"one": ${inner},}}\n\`\`\`\n`],
  ])("may be %s", (_, text) => {
    expect(readPastedServers(text)).toEqual([expected]);
  });

  it("may be one entry, without a name", () => {
    expect(readPastedServers('{"url": "http://a"}')).toEqual([
      { name: undefined, entry: { url: "http://a" }, inputs: [] },
    ]);
  });

  it("may be several entries, with inputs", () => {
    const text = `{"inputs": [{"id": "k", "type": "promptString"}], "servers": {"a": ${inner}, "b": {"url": "http://a"}}}`;
    const inputs = [{ id: "k", type: "promptString" }];
    expect(readPastedServers(text)).toMatchObject([
      { name: "a", inputs },
      { name: "b", inputs },
    ]);
  });

  it("without a server is refused", () => {
    for (const text of ["", "npx -y pkg", "{}", "[]", '{"a": 1}', '{"mcpServers": {}}', "{"])
      expect(() => readPastedServers(text)).toThrow("no configuration of an MCP server");
  });

  it("never throws anything else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readPastedServers(text);
        } catch (error) {
          expect(String(error)).toContain("no configuration of an MCP server");
        }
      }),
    );
  });

  it("is checked like a file", () => {
    const check = (entry: Record<string, Json>) => checkServer({ name: undefined, entry, inputs: [] });
    expect(check({ command: "x", extra: 1 })).toMatchObject({
      problems: [],
      notes: [{ code: "unknown-key" }],
    });
    expect(check({ command: "x", url: "http://a" })).toMatchObject({
      problems: [{ code: "server-command-and-url" }],
    });
  });
});
