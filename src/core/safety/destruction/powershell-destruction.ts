/** Determines what a command line of PowerShell destroys: the whole project, if that depends on a variable or a pipe. */

import { looksDestroying, programDestroys, programName } from "./program-destruction.ts";
import { hitsIn, movedTo, type PossibleFolder, type TargetList, type TargetRecorder } from "./target-list.ts";
import type { Value, Values } from "./value.ts";

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const removing = list(
  "remove-item ri rm del erase rd rmdir clear-content clc clear-item cli set-content sc add-content ac out-file tee-object tee export-csv epcsv export-clixml set-item si expand-archive set-acl",
);
const moving = list("move-item mi mv move");
const copying = list("copy-item cpi cp copy");
const renaming = list("rename-item rni ren");

/** Cmdlets that write piped objects to the file that they name. */
const WRITING = /^(?:set-content|sc|add-content|ac|out-file|tee-object|tee|export-|epcsv|set-item|si)/;

/** .NET calls that delete or replace. */
const DOT_NET =
  /\]::(?:Delete|Move|Replace|Copy|Write\w*|Append\w*|Create\w*|Open\w*)|\.(?:Delete|MoveTo|CopyTo)\(/i;

export function powershellDestroys(text: string, hitList: TargetList): void {
  if (DOT_NET.test(text)) {
    hitList.everything();
    return;
  }
  let places: readonly PossibleFolder[] | undefined = [{ path: hitList.around.cwd }];
  for (const { words, piped, unknown, redirected } of commandsOf(text)) {
    const hits = hitsIn(hitList, places, (word) => {
      for (const { text: inner } of word ?? []) powershellDestroys(inner, hitList);
      if (word === undefined) hitList.everything();
    });
    for (const file of redirected)
      if (!/^\$null$|^&\d$/i.test(file?.[0]?.text ?? "$null")) hits.paths([file]);
    const name = programName(words[0]).toLowerCase();
    if (/^(?:cd|chdir|sl|set-location|pushd|push-location)$/.test(name)) {
      places = unknown
        ? undefined
        : movedTo(
            places,
            words.slice(1).find((word) => !/^-/.test(word?.[0]?.text ?? "")),
            hitList.around.home,
          );
    } else if (unknown && looksDestroying([...words.map((word) => word?.[0]?.text ?? "")].join(" ")))
      hitList.everything();
    else run(name, words.slice(1), hits, piped);
  }
}

function run(name: string, words: readonly Values[], hits: TargetRecorder, piped: boolean): void {
  const { operands, options } = parameters(words);
  const changes = removing.has(name) || renaming.has(name) || moving.has(name);
  if (changes && options.has("-whatif")) return;
  if (changes || copying.has(name)) {
    change(name, operands, hits, piped);
    return;
  }
  if (/^(?:new-item|ni)$/.test(name)) {
    if (options.has("-force")) hits.paths(operands);
    return;
  }
  if (options.has("-outfile")) hits.paths(operands);
  if (/^(?:powershell|pwsh)$/.test(name)) {
    for (const word of words) if (!/^-/.test(word?.[0]?.text ?? "")) hits.shell(word);
    return;
  }
  if (/^(?:invoke-expression|iex)$/.test(name)) {
    for (const word of words) hits.shell(word);
    return;
  }
  programDestroys([[{ text: name }], ...words], hits);
}

function change(name: string, operands: readonly Values[], hits: TargetRecorder, piped: boolean): void {
  const sources = operands.slice(0, -1);
  // Piped objects name the files, or are the content of the named file.
  if (operands.length === 0 || (piped && !WRITING.test(name))) hits.here();
  else if (removing.has(name)) hits.paths(operands);
  else {
    if (moving.has(name)) hits.paths(sources);
    if (renaming.has(name) || sources.length === 0) hits.here();
    else hits.receive(operands.at(-1), sources);
  }
}

/** Values of parameters count as operands, in order; `-Destination` comes last. */
function parameters(words: readonly Values[]): { operands: Values[]; options: Set<string> } {
  const operands: Values[] = [];
  const last: Values[] = [];
  const options = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.[0]?.text ?? "";
    if (!/^-[a-z]/i.test(text)) {
      operands.push(words[i]);
      continue;
    }
    const name = text.toLowerCase();
    options.add(name);
    if (/^-(?:des|de$)/.test(name)) last.push(words[++i]);
    else if (
      /^-(?:value|encoding|filter|include|exclude|erroraction|ea|itemtype|type|width|inputobject|credential)$/.test(
        name,
      )
    )
      i++;
  }
  return { operands: [...operands, ...last], options };
}

interface Command {
  words: Values[];
  piped: boolean;
  /** It contains a variable, a subexpression or an escape. */
  unknown: boolean;
  redirected: Values[];
}

function commandsOf(text: string): Command[] {
  const commands: Command[] = [];
  let current: Command = { words: [], piped: false, unknown: false, redirected: [] };
  const end = (piped: boolean): void => {
    if (current.words.length > 0 || current.redirected.length > 0) commands.push(current);
    current = { words: [], piped, unknown: false, redirected: [] };
  };
  let redirects = false;
  const token =
    /\s+|(&&|\|\||[;\n|(){}])|([\d*]?>>?)|((?:"(?:[^"`]|`.)*"|'(?:[^']|'')*'|[^\s;|(){}>"'])+)|./gs;
  for (const [whole, separator, redirect, word] of text.matchAll(token)) {
    if (separator !== undefined) {
      // A parenthesis inside a command computes one of its words.
      if (separator === "(" && current.words.length > 0) current.unknown = true;
      const inherits = current.unknown && separator === "(";
      if (inherits) continue;
      end(separator === "|");
    } else if (/\n/.test(whole) && word === undefined) end(false);
    else if (redirect !== undefined) redirects = true;
    else if (word !== undefined) {
      const values = valuesOf(word);
      if (redirects) current.redirected.push(...values);
      else current.words.push(...values);
      if (values.includes(undefined)) current.unknown = true;
      redirects = false;
    }
  }
  end(false);
  return commands;
}

/** A list with commas becomes several words; undefined: unknown. */
function valuesOf(word: string): Values[] {
  if (/^&$/.test(word)) return [];
  const parts = word.match(/(?:"(?:[^"`]|`.)*"|'(?:[^']|'')*'|[^,"'])+/gs) ?? [];
  return parts.map((part): Values => {
    const isNull = /^\$null$/i.test(part);
    if (/^'.*'$/s.test(part)) return [value(part.slice(1, -1).replaceAll("''", "'"))];
    if (!isNull && /[$`@]/.test(part)) return undefined;
    return [value(part.replace(/["']/g, ""))];
  });
}

function value(text: string): Value {
  const path = text.replaceAll("\\", "/");
  return /[*?[]/.test(path) ? { text: path, pattern: path } : { text: path };
}
