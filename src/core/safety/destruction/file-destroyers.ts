/** Programs that delete, overwrite or move the files that they name, and which of their words name these files. */

import { type Arguments, has, only, optionValue, splitArguments } from "./split-arguments.ts";
import type { TargetRecorder } from "./target-list.ts";
import type { Values } from "./value.ts";

type Destroys = (words: readonly Values[], hits: TargetRecorder) => void;

const named =
  (takes = ""): Destroys =>
  (words, hits) =>
    hits.paths(splitArguments(words, takes).operands);

/** The last operand, or the value of `-t`, receives the others. */
function moved(parsed: Arguments): { sources: Values[]; destination: Values; isKnown: boolean } {
  const folder = optionValue(parsed, "-t", "--target-directory");
  if (folder) return { sources: parsed.operands, destination: folder.word, isKnown: true };
  const { operands } = parsed;
  return {
    sources: operands.slice(0, -1),
    destination: operands.at(-1),
    isKnown: operands.length > 1,
  };
}

const receiving =
  (takesSources: boolean): Destroys =>
  (words, hits) => {
    const parsed = splitArguments(words, "-t --target-directory -S --suffix -m --mode -o --owner -g --group");
    const { sources, destination, isKnown } = moved(parsed);
    if (takesSources) hits.paths(sources);
    if (has(parsed, "-d", "--directory") || has(parsed, "--parents")) return hits.paths(parsed.operands);
    if (!isKnown) return hits.here();
    hits.receive(destination, sources);
    if (has(parsed, "-b", "--backup", "-S", "--suffix")) hits.beside(destination);
  };

const link: Destroys = (words, hits) => {
  const { sources, destination, isKnown } = moved(splitArguments(words, "-t --target-directory -S --suffix"));
  if (isKnown) hits.receive(destination, sources);
  else hits.receive([{ text: "." }], [destination]);
};

const sync: Destroys = (words, hits) => {
  const parsed = splitArguments(
    words,
    "-e --rsh -f --filter --exclude --include --exclude-from --include-from --files-from -T",
  );
  const { operands } = parsed;
  if (has(parsed, "--remove-source-files")) hits.paths(operands.slice(0, -1));
  const destination = operands.at(-1);
  if (!/^[^/]+:/.test(only(destination) ?? "")) hits.paths([destination]);
};

const copyBits: Destroys = (words, hits) => {
  for (const word of words) {
    if (word === undefined) hits.everything();
    const outputs = word
      ?.filter(({ text }) => text.startsWith("of="))
      .map(({ text }) => ({ text: text.slice(3) }));
    if (outputs && outputs.length > 0) hits.paths([outputs]);
  }
};

const REWRITES = /(?:^|[;{}\n/\dgpIie$])\s*[wW]\s*[^\s;]/;

const edit: Destroys = (words, hits) => {
  const parsed = splitArguments(words, "-e --expression -f --file -l --line-length");
  const hasScript = parsed.values.has("-e") || parsed.values.has("--expression") || parsed.values.has("-f");
  const files = hasScript ? parsed.operands : parsed.operands.slice(1);
  const scripts = [...parsed.values.values(), ...(hasScript ? [] : parsed.operands.slice(0, 1))];
  if (scripts.some((word) => REWRITES.test(only(word) ?? ""))) hits.everything();
  // `-i.bak` is parsed as a cluster of letters, of which the first that counts is `i`.
  if (!words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(only(word) ?? ""))) return;
  hits.paths(files);
  if (words.some((word) => /^(?:-[nErsuz]*i.|--in-place=)/.test(only(word) ?? "")))
    for (const word of files) hits.beside(word);
  if (words.some((word) => /\//.test(/^-[nErsuz]*i(.+)|^--in-place=(.+)/.exec(only(word) ?? "")?.[0] ?? "")))
    hits.here();
};

/** `-o file` and similar. */
const output =
  (takes: string): Destroys =>
  (words, hits) => {
    const parsed = splitArguments(words, takes);
    hits.paths(
      takes.split(" ").flatMap((name) => (parsed.values.has(name) ? [parsed.values.get(name)] : [])),
    );
  };

const compress: Destroys = (words, hits) => {
  const parsed = splitArguments(words, "-S --suffix -o");
  if (has(parsed, "-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test")) return;
  hits.paths([...parsed.operands, ...parsed.values.values()]);
  for (const word of parsed.operands) {
    hits.beside(word);
    hits.beside(word?.map(({ text }) => ({ text: text.replace(/\.[^./]+$/, "") })));
  }
};

const archive: Destroys = (words, hits) => {
  const first = only(words[0]) ?? "";
  // The old style, `tar xf file`, is a cluster without a dash.
  const args: readonly Values[] = /^[a-zA-Z]+$/.test(first)
    ? [[{ text: `-${first}` }], ...words.slice(1)]
    : words;
  const parsed = splitArguments(
    args,
    "-f --file -C --directory -b -g -X -T --exclude --transform --strip-components",
  );
  const folder = optionValue(parsed, "-C", "--directory");
  const place = folder ? hits.inFolder(folder.word) : hits;
  const writes = has(
    parsed,
    "-c",
    "-r",
    "-u",
    "-A",
    "--create",
    "--append",
    "--update",
    "--concatenate",
    "--delete",
  );
  if (has(parsed, "-x", "--extract", "--get")) place.here();
  if (writes) hits.paths([optionValue(parsed, "-f", "--file")?.word ?? [{ text: "-" }]]);
  if (has(parsed, "--remove-files")) place.paths(parsed.operands);
};

const unpack: Destroys = (words, hits) => {
  const parsed = splitArguments(words, "-d -x");
  if (has(parsed, "-l", "-t", "-p", "-Z", "-v")) return;
  const folder = optionValue(parsed, "-d");
  (folder ? hits.inFolder(folder.word) : hits).here();
};

const pack: Destroys = (words, hits) => {
  const parsed = splitArguments(words, "-i -x -n -b -P");
  hits.paths(parsed.operands.slice(0, 1));
  if (has(parsed, "-m", "--move")) hits.paths(parsed.operands.slice(1));
};

const patchFiles: Destroys = (words, hits) => {
  const parsed = splitArguments(words, "-p -d --directory -i --input -o --output -r -B -D -F -V -Y -z");
  if (has(parsed, "--dry-run")) return;
  const folder = optionValue(parsed, "-d", "--directory");
  const output = optionValue(parsed, "-o", "--output");
  if (output) hits.paths([output.word]);
  else (folder ? hits.inFolder(folder.word) : hits).here();
};

const anywhere: Destroys = (_, hits) => hits.here();

const inPlaceAwk: Destroys = (words, hits) => {
  const texts = words.map((word) => only(word) ?? "");
  if (
    texts.some(
      (text, i) =>
        /^(?:-i)?inplace$/.test(text) && (/^-i/.test(text) || /^(?:-i|--include)$/.test(texts[i - 1] ?? "")),
    )
  )
    hits.paths(words.filter((word) => !/^-/.test(only(word) ?? "")));
  // A program that prints into files, or runs something.
  if (
    words.some((word) => word === undefined) ||
    texts.some((text) => />\s*[("$\w]|\bsystem\s*\(|\|\s*"/.test(text))
  )
    hits.here();
};

const secondFile: Destroys = (words, hits) => hits.paths(splitArguments(words, "-f -s -w").operands.slice(1));

const lastFile: Destroys = (words, hits) => {
  const last = splitArguments(words, "-P -i -o -F -c -S -l").operands.at(-1);
  if (!/^[^/]+:/.test(only(last) ?? "")) hits.paths([last]);
};

const table: readonly (readonly [names: string, destroys: Destroys])[] = [
  ["rm grm unlink shred srm wipe rimraf del-cli trash trash-put rip", named("-n --iterations -s --size")],
  ["rmdir", (words, hits) => hits.paths(splitArguments(words).operands.map(outermost))],
  ["truncate", named("-s --size -r --reference")],
  // These create files and folders, which Undo removes.
  ["mkdir touch mkfifo", named("-m --mode -t -d -r --date --reference")],
  ["fallocate", named("-o -l --offset --length")],
  ["mv gmv move", receiving(true)],
  ["cp gcp install ginstall ditto", receiving(false)],
  ["ln gln", link],
  ["rsync", sync],
  ["tee gtee sponge", named()],
  ["dd", copyBits],
  ["sed gsed", edit],
  ["awk gawk mawk nawk", inPlaceAwk],
  ["sort gsort shuf", output("-o --output")],
  [
    "curl",
    (words, hits) =>
      has(splitArguments(words), "-O", "--remote-name", "-J")
        ? hits.here()
        : output("-o --output")(words, hits),
  ],
  [
    "wget",
    (words, hits) =>
      splitArguments(words, "-O").values.has("-O")
        ? output("-O --output-document")(words, hits)
        : hits.here(),
  ],
  ["iconv", output("-o --output")],
  ["gzip gunzip pigz bzip2 bunzip2 xz unxz lzma zstd unzstd lz4 uncompress compress", compress],
  ["tar gtar bsdtar", archive],
  ["unzip", unpack],
  ["zip", pack],
  ["patch gpatch", patchFiles],
  ["uniq", secondFile],
  ["scp", lastFile],
  ["chmod chown chgrp gchmod", (words, hits) => hits.paths(splitArguments(words).operands.slice(1))],
  [
    "ed ex vim vi nvim",
    (words, hits) =>
      words.length > 0 ? hits.paths(splitArguments(words, "-c --cmd -S").operands) : undefined,
  ],
  ["split csplit cpio 7z 7za 7zr unrar unar rename mmv zmv dos2unix unix2dos jar pax", anywhere],
  [
    "hg svn jj bzr",
    (words, hits) =>
      /^(?:revert|update|up|purge|clean|restore|rollback|abandon|undo|cleanup|rm|remove|mv|move|switch)$/.test(
        only(words[0]) ?? "",
      )
        ? hits.everything()
        : undefined,
  ],
];

function outermost(word: Values): Values {
  return word?.map(({ text, pattern }) =>
    pattern === undefined && !/^[/.~]/.test(text)
      ? { text: text.split("/")[0] ?? text }
      : { text, ...(pattern === undefined ? {} : { pattern }) },
  );
}

export const fileDestroyers: ReadonlyMap<string, Destroys> = new Map(
  table.flatMap(([names, destroys]) => names.split(" ").map((name): [string, Destroys] => [name, destroys])),
);
