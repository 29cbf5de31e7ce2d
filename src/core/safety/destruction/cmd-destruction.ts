/** Determines what a command line of cmd.exe destroys: the whole project, if that depends on variables or loops. */

import { looksDestroying, programDestroys, programName } from "./program-destruction.ts";
import { hitsIn, movedTo, type PossibleFolder, type TargetList, type TargetRecorder } from "./target-list.ts";
import type { Value, Values } from "./value.ts";

export function cmdDestroys(text: string, list: TargetList): void {
  // A variable, a loop or an escape: what runs differs from what is written.
  if (/[%^!]|\bfor\b/i.test(text) && looksDestroying(text)) {
    list.everything();
    return;
  }
  let places: readonly PossibleFolder[] | undefined = [{ path: list.around.cwd }];
  for (const part of text.split(/\r?\n|&&|\|\||[&|()]/)) {
    const hits = hitsIn(list, places, (word) => {
      for (const { text: inner } of word ?? []) cmdDestroys(inner, list);
      if (word === undefined) list.everything();
    });
    const words = cmdWords(
      part.replace(/(?<!\S)\d?>>?\s*("[^"]*"|\S+)|\d?>>?\s*("[^"]*"|\S+)/g, (_, a, b) => {
        const file: string = a ?? b;
        if (!/^(?:nul|&\d)$/i.test(file)) hits.paths(cmdWords(file));
        return " ";
      }),
    );
    const name = programName(words[0]).toLowerCase().replace(/^@/, "");
    if (/^(?:cd|chdir|pushd)$/.test(name)) {
      places = movedTo(
        places,
        words.slice(1).find((word) => !/^\/d$/i.test(word?.[0]?.text ?? "")),
        list.around.home,
      );
    } else run(name, words.slice(1), hits, list);
  }
}

function run(name: string, all: readonly Values[], hits: TargetRecorder, list: TargetList): void {
  const isOption = (word: Values): boolean => /^\/[a-z?-]/i.test(word?.[0]?.text ?? "");
  const operands = all.filter((word) => !isOption(word));
  const recursive = all.some((word) => /^\/(?:s|mir|purge|e)$/i.test(word?.[0]?.text ?? ""));
  switch (name) {
    case "del":
    case "erase":
      if (recursive) hits.here();
      else hits.paths(operands);
      return;
    case "rd":
    case "rmdir":
    case "attrib":
      hits.paths(operands);
      return;
    case "move":
      hits.paths(operands.slice(0, -1));
      hits.receive(operands.at(-1), operands.slice(0, -1));
      return;
    case "copy":
      if (operands.length < 2) {
        hits.here();
        return;
      }
      hits.receive(operands.at(-1), operands.slice(0, -1));
      return;
    case "xcopy":
    case "robocopy":
      if (/^robocopy$/.test(name) && all.some((word) => /^\/(?:mov|move)$/i.test(word?.[0]?.text ?? "")))
        hits.paths(operands.slice(0, 1));
      if (operands.length < 2) hits.here();
      else hits.paths(operands.slice(1, 2));
      return;
    case "ren":
    case "rename":
      hits.here();
      return;
    case "cmd": {
      const at = all.findIndex((word) => /^\/[ck]$/i.test(word?.[0]?.text ?? ""));
      const text = all
        .slice(at + 1)
        .map((word) => word?.[0]?.text ?? "")
        .join(" ");
      if (at >= 0) cmdDestroys(text, list);
      return;
    }
    case "powershell":
    case "pwsh":
      if (looksDestroying(all.map((word) => word?.[0]?.text ?? "").join(" "))) list.everything();
      return;
    default:
      programDestroys([[{ text: name }], ...all], hits);
  }
}

function cmdWords(part: string): Values[] {
  const words = part.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  return words.map((raw): Value[] => {
    const text = raw.replaceAll('"', "");
    const path = /^\/[a-z]/i.test(text) ? text : text.replaceAll("\\", "/");
    return [/[*?]/.test(path) ? { text: path, pattern: path } : { text: path }];
  });
}
