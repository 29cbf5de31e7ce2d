/** Commands for the sweep: every option that a program tells of, with values that lead where nothing may lead. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Random } from "../../support/random.ts";

const words = z
  .object({
    /** What a program is first told, so that it gets as far as its options; `#` is a file or a nasty word. */
    forms: z.record(z.string(), z.array(z.string())),
    /** Scripts for the programs that have a language of their own. */
    scripts: z.record(z.string(), z.array(z.string())),
    ordinary: z.array(z.string()),
    nasty: z.array(z.string()),
    /** Values of options that speak of files, programs or folders. */
    led: z.array(z.string()),
  })
  .parse(JSON.parse(readFileSync(new URL("../sweep-words.json", import.meta.url), "utf8")));

const LEADS =
  /file|from|list|conf|rc|include|exclude|magic|script|prog|command|exec|out|dir|temp|type|pattern|glob|check|load|import|ref|color/;

/** A program with what it can be told. */
export interface Program {
  name: string;
  options: string[];
}

/** The options that the program itself tells of, and every letter. */
export function programOf(name: string, path: string): Program {
  const { stdout, stderr } = spawnSync(path, ["--help"], {
    encoding: "utf8",
    timeout: 5_000,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
  });
  const help = `${stdout ?? ""}${stderr ?? ""}`;
  const told = help.match(/(?<=^|[\s,[|(/])--?[A-Za-z0-9][\w-]*/gm) ?? [];
  return { name, options: [...new Set(told)] };
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#@,.?:"];

/** Programs that wait for ever behind these. */
const WAITS = /^(?:-f|-F|--follow|--retry|-w|--watch)/;

/** One command in the words of this program, with nasty parts; `others` are options of all programs. */
export function commandOf(
  program: Program,
  random: Random,
  others: readonly string[],
  place: { outside: string; port: number },
): string {
  const { name, options } = program;
  const pick = <T>(items: readonly T[]): T => random.pick(items);
  const chance = (share: number) => random.chance(share);
  const scripts = words.scripts[name];
  const value = (): string => {
    if (scripts && chance(0.25)) return pick(scripts);
    return chance(0.45) ? pick(words.ordinary) : pick(words.nasty);
  };
  const option = (): string => {
    if (options.length > 0 && chance(0.6)) return pick(options);
    if (chance(0.1)) return pick(others);
    return `-${pick(LETTERS)}${chance(0.2) ? pick(LETTERS) : ""}`;
  };
  // What follows an option that speaks of files, programs or folders is rarely a number.
  const valueFor = (name: string): string => (LEADS.test(name) && chance(0.6) ? pick(words.led) : value());
  const told = (): string => {
    let one = option();
    // GNU programs take the beginning of a long option for the whole.
    if (one.startsWith("--") && one.length > 5 && chance(0.05))
      one = one.slice(0, random.int(4, one.length - 1));
    if (one.startsWith("--"))
      return chance(0.45) ? `${one}=${valueFor(one)}` : chance(0.4) ? `${one} ${valueFor(one)}` : one;
    return chance(0.2) ? one + value() : chance(0.35) ? `${one} ${valueFor(one)}` : one;
  };
  const form = pick(words.forms[name] ?? ["#", "# #", ""]).replace(/#/g, value);
  const parts = [form];
  for (let n = pick([0, 1, 1, 1, 2, 2, 3]); n > 0; n--) {
    const part = scripts && chance(0.15) ? pick(scripts) : chance(0.8) ? told() : value();
    if (chance(0.7)) parts.unshift(part);
    else parts.push(part);
  }
  const text = [name, ...parts].filter((part) => part !== "").join(" ");
  return text.replaceAll("OUTSIDE", place.outside).replaceAll("PORT", String(place.port));
}

/** Whether it would go on without end. */
export function waits(command: string): boolean {
  return (
    /^(?:tail|top|watch|yes|sleep|less|more|dmesg|journalctl|ping|vmstat|iostat|free|pgrep)\b/.test(
      command,
    ) && command.split(" ").some((word) => WAITS.test(word) || /^-\w*[fF]/.test(word))
  );
}
