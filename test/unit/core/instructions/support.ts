/** What the tests of files that define something share: hosts with such files, and what a survey shows of them. */
import { problemTexts } from "../../../../src/core/context/definition-survey.ts";
import type { Host } from "../../../../src/core/ports/host.ts";
import { definitionProblemText } from "../../../../src/shared/words/definition-words.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import { memoryHost } from "../../../support/memory-host.ts";

const HOME = memoryHost().host.system.home;

/** `ofUser`: files in the home folder. */
export function hostWith(files: Record<string, string>, ofUser: Record<string, string> = {}): Host {
  const memory = memoryHost({ files });
  for (const [name, text] of Object.entries(ofUser)) memory.files.set(`${HOME}/${name}`, text);
  return memory.host;
}

interface Judged {
  file: { name: string };
  state: string;
  problems: readonly Parameters<typeof problemTexts>[0][];
}

/** The state of each file and its problems in words, by the name of the file. */
export function shownOf(judged: readonly Judged[]): Record<string, string[]> {
  const t = translator({});
  return Object.fromEntries(
    judged.map(({ file, state, problems }) => [
      file.name,
      [state, ...problems.map((problem) => definitionProblemText(t, problemTexts(problem)))],
    ]),
  );
}
