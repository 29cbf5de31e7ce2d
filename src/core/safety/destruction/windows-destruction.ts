/** The commands of cmd and PowerShell that destroy: their own, and aliases that mean something else than on other systems. */
import type { Word } from "../shells/shell-words.ts";
import { arrives, type Destroys } from "./file-destroyers.ts";

/** Parameters of PowerShell and switches of cmd. */
const isOption = ({ text }: Word) => /^(?:-[a-z]|\/-?[a-z?][\w:-]*$)/i.test(text);
const optionsIn = (words: readonly Word[]) => words.filter(isOption).map(({ text }) => text.toLowerCase());
const HAS_OTHER_VALUE =
  /^-(?:value|encoding|filter|include|exclude|erroraction|ea|itemtype|type|width|inputobject|credential)$/i;
const operandsIn = (words: readonly Word[]) =>
  words.filter((word, i) => !isOption(word) && !HAS_OTHER_VALUE.test(words[i - 1]?.text ?? ""));

const everything: Destroys = (_, hits) => hits.everything();

/** Without an operand, or with a pipe, the files come through the pipe. */
const removing: Destroys = (words, hits) => {
  const operands = operandsIn(words);
  if (hits.context.isPiped || operands.length === 0) hits.here();
  else hits.paths(operands);
};

/** With `/s`, cmd removes the files of these names in all folders. */
const erasing: Destroys = (words, hits, text) => {
  if (optionsIn(words).includes("/s")) hits.here();
  else removing(words, hits, text);
};

/** What comes through a pipe is the content of the file that they name. */
const writing: Destroys = (words, hits) => {
  const operands = operandsIn(words);
  if (operands.length === 0) hits.everything();
  else hits.paths(operands);
};

const PLAIN = /^(?:-(?:path|literalpath|destination|force|recurse|verbose|passthru)|\/.*)$/;

const receiving =
  (takesSources: boolean): Destroys =>
  (words, hits) => {
    const operands = operandsIn(words);
    const named = words.findIndex(({ text }) => /^-destination$/i.test(text));
    const isLast = named < 0 || words[named + 1] === operands.at(-1);
    const isPlain = isLast && !hits.context.isPiped && optionsIn(words).every((text) => PLAIN.test(text));
    arrives(operands, takesSources, isPlain, hits);
  };

const having =
  (option: string): Destroys =>
  (words, hits) => {
    if (optionsIn(words).includes(option)) hits.paths(operandsIn(words));
  };

const table: readonly (readonly [names: string, destroys: Destroys])[] = [
  ["remove-item ri rm rd rmdir clear-content clc clear-item cli set-acl", removing],
  ["del erase attrib", erasing],
  [
    "set-content sc add-content ac out-file tee-object tee export-csv epcsv export-clixml set-item si",
    writing,
  ],
  ["move-item mi mv move", receiving(true)],
  ["copy-item cpi cp copy", receiving(false)],
  ["rename-item rni ren rename expand-archive xcopy robocopy", everything],
  [
    "invoke-expression iex",
    (words, hits) => {
      for (const word of words) hits.shell(word);
    },
  ],
  ["new-item ni", having("-force")],
  ["invoke-webrequest iwr invoke-restmethod irm", having("-outfile")],
];

const destroyers: ReadonlyMap<string, Destroys> = new Map(
  table.flatMap(([names, destroys]) => names.split(" ").map((name): [string, Destroys] => [name, destroys])),
);

export function windowsDestroyer(name: string): Destroys | undefined {
  const destroys = destroyers.get(name);
  return (
    destroys &&
    ((words, hits, text) => {
      if (!optionsIn(words).includes("-whatif")) destroys(words, hits, text);
    })
  );
}
