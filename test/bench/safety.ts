import { CORPORA, countsOf, loadCorpus, meets } from "../safety/corpus.ts";
import { judgeCommand } from "../safety/judge.ts";
import { createPathProject } from "../safety/path-project.ts";
import type { SafetyRow } from "./report.ts";

/** Corpora without kinds of their own, by the names that the tables have for them. */
const NAMES: Readonly<Record<string, string>> = {
  "safety-cases.json": "given",
  "own-cases.json": "ours",
  "program-cases.json": "programs listed without a subcommand",
};

type Corpus = ReturnType<typeof loadCorpus>;

/** Judges every command and path of the corpora: kind by kind, or shell by shell where a corpus has no kinds. */
export async function safetyRows(): Promise<SafetyRow[]> {
  const project = await createPathProject();
  try {
    const rows: SafetyRow[] = [];
    for (const file of CORPORA) {
      const corpus = loadCorpus(file);
      for (const [kind, cases] of commandGroups(corpus, NAMES[file] ?? file)) {
        const wrong = await countWrong(cases, async ([shell, command]) => {
          const { allow, deny } = corpus;
          return (await judgeCommand(command, { shell, allow, deny })).verdict;
        });
        rows.push({ what: "commands", kind, ...countsOf(cases), wrong });
      }
      for (const [kind, cases] of pathGroups(corpus, NAMES[file] ?? file)) {
        const wrong = await countWrong(cases, async (item) => (await project.judge(item)).verdict);
        rows.push({ what: "paths", kind, ...countsOf(cases), wrong });
      }
    }
    return rows;
  } finally {
    await project.remove();
  }
}

function commandGroups({ commands, kinds }: Corpus, name: string): [string, Corpus["commands"]][] {
  if (Object.keys(kinds).length > 0) return Object.entries(kinds);
  const shells = [...new Set(commands.map(([shell]) => shell))];
  return shells.map((shell) => [`${name}, ${shell}`, commands.filter(([of]) => of === shell)]);
}

function pathGroups({ paths, pathKinds }: Corpus, name: string): [string, Corpus["paths"]][] {
  if (Object.keys(pathKinds).length > 0) return Object.entries(pathKinds);
  return paths.length > 0 ? [[name, paths]] : [];
}

async function countWrong<Case extends readonly [string, string, string]>(
  cases: readonly Case[],
  verdictOf: (item: Case) => Promise<string>,
): Promise<number> {
  let wrong = 0;
  for (const item of cases) if (!meets(item[2], await verdictOf(item))) wrong++;
  return wrong;
}

export function safetyText(rows: readonly SafetyRow[]): string {
  const width = Math.max(...rows.map(({ kind }) => kind.length));
  const line = (kind: string, ...cells: (string | number)[]) =>
    kind.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join("");
  return [
    line("commands and paths", "", "allow", "ask", "deny", "wrong"),
    ...rows.map(({ what, kind, allow, ask, deny, wrong }) => line(kind, what, allow, ask, deny, wrong)),
  ].join("\n");
}
