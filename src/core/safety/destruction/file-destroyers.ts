/** Programs that delete, overwrite or move files, and which of their words name these files. */
import type { Word } from "../shells/shell-words.ts";
import { operandsOf, optionsOf } from "./operands.ts";
import type { TargetRecorder } from "./target-list.ts";

export type Destroys = (words: readonly Word[], hits: TargetRecorder, text: string) => void;

const operands: Destroys = (words, hits) => hits.paths(operandsOf(words));
const everything: Destroys = (_, hits) => hits.everything();

/** The whole project is kept if one of the words is like this. */
const having =
  (pattern: RegExp): Destroys =>
  (words, hits) => {
    if (words.some(({ text }) => pattern.test(text))) hits.everything();
  };

/** The whole project is kept unless one of the options is like this. */
const unless =
  (pattern: RegExp): Destroys =>
  (words, hits) => {
    if (!optionsOf(words).some((text) => pattern.test(text))) hits.everything();
  };

/** Options without a value that change nothing about which files are affected. */
const PLAIN =
  /^(?:-[adfFhHilLnpPrRsTuvxZ]+|--(?:archive|force|interactive|link|no-clobber|no-target-directory|recursive|symbolic|update|verbose|preserve(?:=.*)?))$/;

const receiving =
  (takesSources: boolean): Destroys =>
  (words, hits) =>
    arrives(operandsOf(words), takesSources, isPlain(words), hits);

const isPlain = (words: readonly Word[]) =>
  optionsOf(words).every((text) => PLAIN.test(text) || text === "--");

/** The last operand receives the others. */
export function arrives(
  operands: readonly Word[],
  takesSources: boolean,
  isCertain: boolean,
  hits: TargetRecorder,
): void {
  const destination = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (!isCertain || !destination || sources.length === 0) hits.everything();
  else {
    if (takesSources) hits.paths(sources);
    hits.receive(destination, sources);
  }
}

/** Writes a file from within a script. */
const REWRITES = /(?:^|[;{}\n/\dgpIie$])\s*[wW]\s*[^\s;]/;

const SED_PLAIN =
  /^(?:-[nErsuzi]*|-[nErsuz]*e.*|--(?:expression.*|in-place|quiet|silent|regexp-extended)|--)$/;

const edit: Destroys = (words, hits) => {
  const afterE = words.filter((_, i) => /^(?:-[nErsuz]*e|--expression)$/.test(words[i - 1]?.text ?? ""));
  const attached = words.filter(({ text }) => /^(?:-[nErsuz]*[ef].|--(?:expression|file)=)/.test(text));
  const hasScript =
    afterE.length > 0 || attached.length > 0 || words.some(({ text }) => /^(?:-\w*f|--file)$/.test(text));
  const files = operandsOf(words).filter((word) => !afterE.includes(word) && word.text !== "");
  const scripts = [...afterE, ...attached, ...(hasScript ? [] : files.splice(0, 1))];
  // After another option, any word may be a script.
  const candidates = optionsOf(words).every((text) => SED_PLAIN.test(text)) ? scripts : words;
  if (candidates.some(({ text }) => REWRITES.test(text.replace(/^--\w+=/, "")))) hits.everything();
  const inPlace = optionsOf(words).filter((text) => /^(?:-[a-zA-Z]*i|--in-place)/.test(text));
  // A suffix names backups, which may replace other files.
  if (inPlace.some((text) => !/^(?:-[nErsuz]*i|--in-place)$/.test(text))) hits.everything();
  else if (inPlace.length > 0) hits.paths(files);
};

/** A program that prints into files, edits them in place, or runs something. */
const awk: Destroys = (words, hits) => {
  const writes = ({ text, unknown }: Word) =>
    unknown || /inplace|>\s*[("$\w]|\bsystem\s*\(|\|\s*"/.test(text);
  if (words.some(writes)) hits.everything();
};

const download: Destroys = (words, hits) => {
  const isSaved = words.some(
    ({ text }, i) =>
      /^(?:-(?!X)\w*[OJDc]|-\w*o.|--(?:output[-=]|remote-|dump|cookie-jar|trace|etag-save|stderr))/.test(
        text,
      ) ||
      (/^(?:-\w*o|--output)$/.test(text) && !/^(?:\/dev\/null|-)$/.test(words[i + 1]?.text ?? "")),
  );
  if (isSaved) hits.everything();
};

const table: readonly (readonly [names: string, destroys: Destroys])[] = [
  // mkdir and its kind create files and folders, which Undo removes.
  [
    "rm grm unlink shred srm wipe rimraf del-cli trash trash-put rip truncate mkdir touch mkfifo fallocate tee gtee sponge chmod chown chgrp gchmod",
    operands,
  ],
  ["rmdir", (words, hits) => (optionsOf(words).length > 0 ? hits.everything() : operands(words, hits, ""))],
  ["mv gmv move", receiving(true)],
  ["cp gcp ditto ln gln", receiving(false)],
  ["sed gsed", edit],
  ["awk gawk mawk nawk", awk],
  ["curl", download],
  ["sort gsort shuf iconv", having(/^(?:-[a-zA-Z]*o|--o)/)],
  ["dd", having(/^of=/)],
  ["wget", unless(/^(?:-[a-zA-Z]*O-|--spider|--version)$/)],
  [
    "gzip gunzip pigz bzip2 bunzip2 xz unxz lzma zstd unzstd lz4",
    unless(/^(?:-[dfknqrv0-9]*[clt]|--(?:stdout|to-stdout|list|test)$)/),
  ],
  [
    "tar gtar bsdtar",
    (words, hits) => {
      const lists = /^(?:-?[avzjJP]*t[avzjJP]*f?|--list)$/.test(words[0]?.text ?? "");
      const writes = words.slice(1).some(({ text }) => /^-\w*[xcruA]|^--(?:[crua]|ex|get|del)/.test(text));
      if (!lists || writes) hits.everything();
    },
  ],
  ["unzip", unless(/^-[aCqv]*[lptvZ][aCqv]*$/)],
  ["patch gpatch", unless(/^--dry-run$/)],
  ["uniq", (words, hits) => (operandsOf(words).length > 1 ? hits.everything() : undefined)],
  ["ed ex vim vi nvim", (words, hits) => (words.length > 0 ? hits.everything() : undefined)],
  [
    "install ginstall rsync scp zip split csplit cpio 7z 7za 7zr unrar unar rename mmv zmv dos2unix unix2dos jar pax uncompress compress",
    everything,
  ],
  [
    "hg svn jj bzr",
    having(
      /^(?:revert|update|up|purge|clean|restore|rollback|abandon|undo|cleanup|rm|remove|mv|move|switch)$/,
    ),
  ],
];

export const fileDestroyers: ReadonlyMap<string, Destroys> = new Map(
  table.flatMap(([names, destroys]) => names.split(" ").map((name): [string, Destroys] => [name, destroys])),
);
