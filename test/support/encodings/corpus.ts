/**
 * Real texts in many languages, in the encodings that such texts were written in: the translations that packages of the
 * development dependencies contain. Nothing of them is copied into the repository.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { bytesOfText, textOfBytes } from "../../../src/node/files/encoding/codecs.ts";

const MODULES = path.resolve("node_modules");

/** The single-byte encodings of Western Europe. */
const WESTERN = ["windows1252", "iso88591", "iso885915", "macroman", "cp850", "cp437"];
const CENTRAL = ["windows1250", "iso88592"];
const BALTIC = ["windows1257"];
const RUSSIAN = ["windows1251", "koi8r", "cp866", "iso88595"];
const CYRILLIC = ["windows1251", "iso88595"];
const UNICODE = ["utf8", "utf16le", "utf16be"];

/** Languages as the packages name their files, each with its older encodings. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  ja: ["shiftjis", "eucjp", "iso2022jp", ...UNICODE],
  "zh-CN": ["gb18030", ...UNICODE],
  "zh-TW": ["big5hkscs", "utf8"],
  ko: ["euckr", "utf8"],
  ru: [...RUSSIAN, "utf8"],
  uk: ["windows1251", "koi8u", "iso88595"],
  bg: CYRILLIC,
  be: CYRILLIC,
  mk: CYRILLIC,
  pl: CENTRAL,
  cs: CENTRAL,
  hu: CENTRAL,
  sk: CENTRAL,
  sl: CENTRAL,
  hr: CENTRAL,
  ro: CENTRAL,
  de: WESTERN,
  fr: [...WESTERN, "utf8"],
  es: WESTERN,
  it: WESTERN,
  pt: WESTERN,
  sv: WESTERN,
  da: WESTERN,
  fi: WESTERN,
  no: WESTERN,
  nl: WESTERN,
  is: ["windows1252", "iso88591"],
  tr: ["windows1254", "iso88599"],
  el: ["windows1253", "iso88597"],
  he: ["windows1255", "iso88598"],
  ar: ["windows1256", "iso88596"],
  lt: BALTIC,
  vi: ["windows1258"],
  th: ["windows874"],
};

/** Other names of a language's files. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  uk: ["uk", "ua", "uk_UA"],
  no: ["no", "nb", "nn"],
  pt: ["pt", "pt-BR", "pt_BR", "pt_PT"],
  "zh-CN": ["zh-CN", "zh_CN"],
  "zh-TW": ["zh-TW", "zh_TW"],
  fr: ["fr", "fr-CA"],
};

export interface Sample {
  language: string;
  encoding: string;
  size: "short" | "medium" | "long";
  text: string;
  bytes: Buffer;
  /** Another sentence of the language, which the encoding has. */
  added: string;
}

/** The sentences of a language, without repetition, in a fixed order. */
export function sentencesIn(language: string): string[] {
  const names = ALIASES[language] ?? [language];
  const found = names.flatMap((name) => [
    ...jsonTexts(path.join(MODULES, "axe-core", "locales", `${name}.json`)),
    ...jsonTexts(path.join(MODULES, "yargs", "locales", `${name}.json`)),
    ...scriptTexts(path.join(MODULES, "zod", "v4", "locales", `${name}.js`)),
    ...documentTexts(path.join(MODULES, "@biomejs", "biome", `README.${name}.md`)),
  ]);
  return [...new Set(found)].filter((text) => /[^\0-\x7f]/.test(text) && text.length > 3);
}

/**
 * The samples of every language and encoding. `each`: how many short texts of each; of medium ones there are half as many, and
 * two long ones.
 */
export function encodingSamples(each: number): Sample[] {
  return Object.entries(LANGUAGES).flatMap(([language, encodings]) => {
    const sentences = sentencesIn(language);
    return encodings.flatMap((encoding) => samplesOf(language, encoding, sentences, each));
  });
}

function samplesOf(language: string, encoding: string, all: readonly string[], each: number): Sample[] {
  const sentences = all.map((text) => composed(text, encoding)).filter((text) => fits(text, encoding));
  if (sentences.length < 4) return [];
  const samples: Sample[] = [];
  const take = (size: Sample["size"], count: number, length: number) => {
    for (let at = 0; at < count; at++) {
      // A step that is prime to most lengths, so that the samples differ.
      const from = (at * 7 * length) % sentences.length;
      const part = Array.from({ length: Math.min(length, sentences.length - 1) }, (_, index) => {
        return sentences[(from + index) % sentences.length] ?? "";
      });
      const text = at % 2 === 0 ? asSource(part) : `${part.join("\n")}\n`;
      const added = sentences[(from + part.length) % sentences.length] ?? "";
      samples.push({ language, encoding, size, text, bytes: bytesOfText(text, encoding), added });
    }
  };
  take("short", each, 1);
  take("medium", Math.ceil(each / 2), 6);
  take("long", 2, 60);
  return samples;
}

/** As comments and strings of a source file. */
function asSource(sentences: readonly string[]): string {
  return sentences
    .map((text, at) =>
      at % 2 === 0
        ? `// ${text}\nint value${at} = ${at};\n`
        : `  printf("${text.replaceAll('"', "'")}\\n"); /* ${at} */\n`,
    )
    .join("");
}

/** Vietnamese is written with combining marks in its encoding. */
function composed(text: string, encoding: string): string {
  return encoding === "windows1258" ? textOfBytes(vietnameseBytes(text), encoding) : text;
}

function vietnameseBytes(text: string): Buffer {
  const direct = bytesOfText(text, "windows1258");
  if (textOfBytes(direct, "windows1258") === text) return direct;
  const parts = [...text].map((character) => {
    if (textOfBytes(bytesOfText(character, "windows1258"), "windows1258") === character) return character;
    const [base = "", ...marks] = [...character.normalize("NFD")];
    const tones = marks.filter((mark) => /[\u0300\u0301\u0303\u0309\u0323]/u.test(mark));
    const shape = marks.filter((mark) => !tones.includes(mark));
    return (base + shape.join("")).normalize("NFC") + tones.join("");
  });
  return bytesOfText(parts.join(""), "windows1258");
}

function fits(text: string, encoding: string): boolean {
  return (
    !text.includes("?") &&
    textOfBytes(bytesOfText(text, encoding), encoding) === text &&
    /[^\0-\x7f]/.test(text)
  );
}

function jsonTexts(file: string): string[] {
  return existsSync(file) ? stringsOf(JSON.parse(readFileSync(file, "utf8"))) : [];
}

const objectSchema = z.record(z.string(), z.unknown());

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value.replace(/\s+/g, " ").trim()];
  const object = objectSchema.safeParse(value).data;
  return object === undefined ? [] : Object.values(object).flatMap(stringsOf);
}

/** The texts in the quotes of a script. */
function scriptTexts(file: string): string[] {
  if (!existsSync(file)) return [];
  return [...readFileSync(file, "utf8").matchAll(/"([^"\\\n]+)"|`([^`\\]+)`/g)].map(([, plain, template]) =>
    (plain ?? template ?? "")
      .replace(/\$\{[^}]*\}/g, "x")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

/** The lines of a Markdown document without links, markup and images. */
function documentTexts(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .map((line) =>
      line
        .replace(/<[^>]*>|!?\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/[#*`>|]/g, "")
        .trim(),
    )
    .filter((line) => line.length > 10 && !/https?:/.test(line));
}
