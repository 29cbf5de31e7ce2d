/** Programs that change the files they name: they ask for the same files as a file tool. */
import { reasonOf } from "../../../shared/reason.ts";
import { protectedWrite } from "../paths/judge-path.ts";
import type { Word } from "../shells/shell-words.ts";
import { leavesProject } from "./dev-tools.ts";
import type { Profile } from "./profile.ts";
import { unknown } from "./runners/unknown.ts";

const names = (list: string) => list.split(" ");

export const WRITERS = names(
  "cp mv ln touch mkdir rmdir chmod chown chgrp install rsync truncate split csplit patch unlink shred sponge mkfifo gzip gunzip bzip2 bunzip2 xz unxz zstd zip unzip copy move ren xcopy robocopy md new-item ni copy-item cpi move-item mi rename-item rni set-content sc add-content ac clear-content clc out-file convert magick mogrify composite",
);

export const writer: Profile = {
  judge(call) {
    // The expansion of a pattern matters only for files that are written; the sources of cp are only read.
    const changed = call.name === "cp" ? call.words.slice(-1) : call.words;
    const odd = changed.find(({ glob, text }) => glob !== undefined || /^[~$]/.test(text));
    if (odd) return reasonOf("pattern-several-files", odd.text);
    // ImageMagick's image formats, some of which are scripts.
    const kind = /^(?:convert|magick|mogrify|composite)$/.test(call.name);
    const odder = kind && call.words.find(({ text }) => /^[A-Za-z]+:/.test(text));
    if (odder) return reasonOf("not-a-file", odder.text);
    for (const text of call.words.flatMap(named)) {
      const reason = protectedWrite(text);
      if (reason) return reason;
      if (leavesProject(text)) return reasonOf("outside-project", text);
    }
    return unknown.judge(call);
  },
  writes: ({ words }) => words.filter(({ text }) => !text.startsWith("-")),
};

/** Returns the word itself, and the value attached to an option. */
function named({ text }: Word): string[] {
  if (!text.startsWith("-")) return [text];
  const value = /^--?[\w-]+[=:](.+)$|^-[A-Za-z]+([./~].*)$/s.exec(text);
  return value ? [value[1] ?? value[2] ?? ""] : [];
}
