/** Every sentence for people has a Japanese translation with the same places, and none is left over. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defaultTools } from "../../../src/core/tools/registry.ts";
import { REMEMBER_FACE } from "../../../src/core/tools/remember.ts";
import { SERVER_TOOLS } from "../../../src/core/tools/servers/server-tools.ts";
import { EXTENSION_FACE } from "../../../src/core/tools/switches/editor-tool.ts";
import { SKILL_FACE } from "../../../src/core/tools/use-skill.ts";
import { SEARCH_FACE } from "../../../src/core/tools/web-search.ts";
import type { ToolPresentation } from "../../../src/shared/tool-presentation.ts";

const FOLDERS = ["src", "webview-ui"];
const bundle = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync("l10n/bundle.l10n.ja.json", "utf8")));

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

/** Calls of `t`: their first argument where it is a string, else the text of the call. */
function calls(file: string): { keys: string[]; others: string[] } {
  const keys: string[] = [];
  const others: string[] = [];
  const source = readFileSync(file, "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
  for (const match of source.matchAll(/(?<![\w$])t\(\s*("(?:[^"\\\n]|\\.)*"(?=\s*[,)]))?/g)) {
    if (match[1] === undefined) others.push(`${file}: ${source.slice(match.index, match.index + 60)}`);
    else keys.push(z.string().parse(JSON.parse(match[1])));
  }
  return { keys, others };
}

function places(text: string): string[] {
  return [...new Set(text.match(/\{\d+\}/g))].sort();
}

/** Every phrase of a presentation. */
function phrasesOf({ title, titles = {}, found, question, approve }: ToolPresentation): string[] {
  const all = [title, ...Object.values(titles)].flatMap((each) => Object.values(each));
  const phrases = [...all, ...Object.values(found ?? {}), question, approve];
  return phrases.filter((phrase) => phrase !== undefined);
}

const found = FOLDERS.flatMap(sources).map(calls);

/** Phrases that travel as data. */
const faces = [...defaultTools, ...SERVER_TOOLS].map(({ presentation }) => presentation);
const phrases = [...faces, EXTENSION_FACE, REMEMBER_FACE, SEARCH_FACE, SKILL_FACE].flatMap(phrasesOf);
const used = new Set([...phrases, ...found.flatMap(({ keys }) => keys)]);

describe("the Japanese bundle", () => {
  it("is asked for by literal sentences alone, so that this test sees them all", () => {
    expect(found.flatMap(({ others }) => others)).toEqual([]);
    expect(used.size).toBeGreaterThan(100);
  });

  it("translates every sentence", () => {
    expect([...used].filter((key) => bundle[key] === undefined)).toEqual([]);
  });

  it("holds none that nobody uses", () => {
    expect(Object.keys(bundle).filter((key) => !used.has(key))).toEqual([]);
  });

  it("keeps the places of each sentence", () => {
    const wrong = Object.entries(bundle).filter(([key, text]) => `${places(key)}` !== `${places(text)}`);
    expect(wrong).toEqual([]);
  });
});
