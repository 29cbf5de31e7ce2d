/** Programs that detect file types or search for text in files, on several operating systems. */
import { reasonOf } from "../../../shared/reason.ts";
import { isWindowsShell } from "../shells/shell-words.ts";
import { type OptionTable, ofProgram, readProgramOptions } from "./option-tables.ts";
import type { Profile } from "./profile.ts";
import { unknown } from "./runners/unknown.ts";

const FILE: OptionTable = {
  short: "bdEhiIklLnNrsv0",
  valued: "F",
  long: "brief checking-printout dereference exclude-quiet extension keep-going list mime mime-type mime-encoding no-buffer no-dereference no-pad print0 raw special-files version help",
  longValued: "separator exclude",
};

/** file: detects a file's type. -C writes, -p sets times, -m and -f read other files, -z starts programs. */
export const file: Profile = {
  judge({ words }) {
    const read = readProgramOptions(words, FILE);
    return "fault" in read ? ofProgram("file", read.fault) : undefined;
  },
};

/**
 * findstr of Windows: its switches select and show, except /F, /G and /D, which take files or folders from elsewhere.
 */
export const findstr: Profile = {
  judge({ words }) {
    const odd = words.find(
      ({ text }) => text.startsWith("/") && !/^\/(?:[belrsixvnmop]+|c:.+|a:\w+)$/i.test(text),
    );
    return odd && reasonOf("option", odd.text);
  },
  files: ({ words }) => words.filter(({ text }) => !text.startsWith("/")),
};

const LESS: OptionTable = {
  short: "NnSRriIXFEeMmsgGwWqQcCdJaKLuU",
  valued: "pPjhxyz",
  long: "LINE-NUMBERS line-numbers chop-long-lines RAW-CONTROL-CHARS raw-control-chars ignore-case IGNORE-CASE no-init quit-if-one-screen quit-at-eof QUIT-AT-EOF squeeze-blank-lines no-lessopen quit-on-intr tilde version help",
  longValued: "pattern shift tabs window jump-target",
  number: true,
};

/**
 * less, and more, which may be less: -t and -T read tag files, -k reads a key file, -o and -O write, `+` runs a command
 * of less itself.
 */
export const pager: Profile = {
  judge(call) {
    if (isWindowsShell(call.shell)) return unknown.judge(call);
    const read = readProgramOptions(call.words, LESS);
    if ("fault" in read) return ofProgram(call.name, read.fault);
    const odd = [...read.positionals, ...read.options.map(({ value = "" }) => ({ text: value }))].find(
      ({ text }) => text.startsWith("+"),
    );
    return odd && reasonOf("read-as-option", odd.text);
  },
};
