/** Programs that tell what a file is, or look for a text in files, in the way of the systems they come from. */
import { type OptionTable, readOptions } from "./options.ts";
import type { Profile } from "./profile.ts";

const FILE: OptionTable = {
  short: "bdEhiIklLnNprsv0",
  valued: "F",
  long: "brief checking-printout dereference exclude-quiet extension keep-going list mime mime-type mime-encoding no-buffer no-dereference no-pad preserve-date print0 raw special-files version help",
  longValued: "separator exclude",
};

/** file: what kind of file it is. -C writes, -m and -f take other files, -z starts programs. */
export const file: Profile = {
  judge({ words }) {
    const read = readOptions(words, FILE);
    return "reason" in read ? `file: ${read.reason}` : undefined;
  },
};

/** findstr of Windows: its switches select and show, but /F, /G and /D take files or folders from elsewhere. */
export const findstr: Profile = {
  judge({ words }) {
    const odd = words.find(
      ({ text }) => text.startsWith("/") && !/^\/(?:[belrsixvnmop]+|c:.+|a:\w+)$/i.test(text),
    );
    return odd && `the option ${odd.text}`;
  },
  files: ({ words }) => words.filter(({ text }) => !text.startsWith("/")),
};
