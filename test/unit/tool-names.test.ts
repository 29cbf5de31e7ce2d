/** A tool's file says all about it: its name, and the other names under which models know it, stand nowhere else. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { defaultTools } from "../../src/core/tools/registry.ts";
import { SERVER_TOOLS } from "../../src/core/tools/servers/server-tools.ts";

const repository = path.join(import.meta.dirname, "../..");

/**
 * Two tables map all tools to the names of others: one has the names and fields that hooks of other agents know, one what files of agents
 * call tools.
 */
const FOREIGN_NAMES = /^src\/core\/(?:hooks\/claude-calls|instructions\/agent-tools)\.ts$/;

/** Prose for the model names tools: that is what it is for. */
const PROSE = [
  FOREIGN_NAMES,
  /^src\/core\/prompts\//,
  /^src\/core\/tools\//,
  // What goes along with a message: how to read on where it was cut, and what to do with the todo list.
  /^src\/core\/context\/(?:environment|mention-kinds|mention-files|focus-chain|expand-definition)\.ts$/,
  // How to read what a server's result only points to.
  /^src\/core\/servers\/content-text\.ts$/,
];

/** What decides whether that prose is shown. */
const WITH_PROSE = /^src\/core\/prompts\/(?:sections|call-examples)\.ts$/;

/** Also the name of something else. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  // The format of its patches, which models know under this name.
  apply_patch: /apply_patch format/g,
};

/** A single word, such as "list", is one of the language; a name such as "readFile" is one of many libraries. */
const isWord = (name: string) => /^[a-z]+$/.test(name);
const isOurs = (name: string) => name.includes("_");

function sources(folder: string): string[] {
  return readdirSync(path.join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll("\\", "/")));
}

const files = ["src", "webview-ui"].flatMap(sources).map((file) => ({
  file,
  code: readFileSync(path.join(repository, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, ""),
}));

const named = [...defaultTools, ...SERVER_TOOLS].map(({ name, aliases = [] }) => ({
  tool: name,
  home: files.find(({ file, code }) => file.startsWith("src/core/tools/") && code.includes(`name: "${name}"`))
    ?.file,
  names: [name, ...aliases.map((alias) => alias.name)],
}));

it("each tool has a file", () => {
  expect(named.filter(({ home }) => home === undefined)).toEqual([]);
});

it("no name of a tool is a string of its own outside the tool's file", () => {
  const wrong = named.flatMap(({ home, names }) =>
    names
      .filter((name) => !isWord(name))
      .flatMap((name) =>
        files
          .filter(
            ({ file, code }) =>
              file !== home &&
              !WITH_PROSE.test(file) &&
              !FOREIGN_NAMES.test(file) &&
              new RegExp(`["'\`]${name}["'\`]`).test(code),
          )
          .map(({ file }) => `${file}: ${name}`),
      ),
  );
  expect(wrong).toEqual([]);
});

it("no name of a tool is written outside the tool's file and prose for the model", () => {
  const wrong = named.flatMap(({ names }) =>
    names.filter(isOurs).flatMap((name) => {
      const pattern = new RegExp(`\\b${name}\\b`);
      return files
        .filter(({ file }) => !PROSE.some((each) => each.test(file)))
        .filter(({ code }) => pattern.test(OTHERS[name] ? code.replace(OTHERS[name], "") : code))
        .map(({ file }) => `${file}: ${name}`);
    }),
  );
  expect(wrong).toEqual([]);
});
