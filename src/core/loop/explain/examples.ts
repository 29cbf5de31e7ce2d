/**
 * Examples of what a remedy changes and what it does not. The real judge checks each; examples that it does not confirm are
 * omitted.
 */
import { dirname, join } from "node:path";
import type { Explanation } from "../../../shared/explanation.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { spelled } from "../../safety/commands/approval-prefix.ts";
import { entryWords } from "../../safety/commands/prefixes.ts";
import { displayPath } from "../../tools/tool-paths.ts";
import { type AppliedRemedy, type Situation, type SituationJudge, withCommand } from "./remedies.ts";

/** Other commands of a program, for an entry that names one of its commands. */
const SIBLINGS: Readonly<Record<string, readonly string[]>> = {
  git: ["git push", "git clean -f"],
  npm: ["npm install", "npm publish"],
  pnpm: ["pnpm install", "pnpm publish"],
  yarn: ["yarn install", "yarn publish"],
  npx: ["npx cowsay"],
  cargo: ["cargo install ripgrep", "cargo publish"],
  go: ["go install", "go generate"],
  docker: ["docker rm web"],
  kubectl: ["kubectl delete pod web"],
  make: ["make install", "make clean"],
  pip: ["pip install requests"],
  dotnet: ["dotnet publish"],
};
const OTHERS = ["npm install", "rm -r build"];

export async function examplesOf(
  now: Situation,
  applied: AppliedRemedy,
  workspace: Workspace,
  ask: SituationJudge,
): Promise<Explanation["examples"] | undefined> {
  const { invocation } = now.subject;
  const { runs, asks } =
    invocation.command === undefined
      ? pathCandidates(now, workspace)
      : commandCandidates(invocation.command, applied);
  const newly = async (candidate: Candidate) =>
    (await ask(candidate(now))).verdict !== "allow" &&
    (await ask(candidate(applied.situation))).verdict === "allow";
  const still = async (candidate: Candidate) => (await ask(candidate(applied.situation))).verdict !== "allow";
  const first = await firstThat(runs, newly);
  const second = await firstThat(
    asks.filter(({ text }) => text !== first),
    still,
  );
  if (first === undefined && second === undefined) return undefined;
  return {
    ...(first === undefined ? {} : { runs: first }),
    ...(second === undefined ? {} : { asks: second }),
  };
}

type Candidate = (situation: Situation) => Situation;
interface Example {
  text: string;
  in: Candidate;
}

async function firstThat(
  examples: readonly Example[],
  holds: (candidate: Candidate) => Promise<boolean>,
): Promise<string | undefined> {
  for (const example of examples) if (await holds(example.in)) return example.text;
  return undefined;
}

function commandCandidates(command: string, { remedy }: AppliedRemedy): { runs: Example[]; asks: Example[] } {
  const example = (text: string): Example => ({ text, in: (situation) => withCommand(situation, text) });
  const [entry] = remedy.allow;
  if (entry === undefined) return { runs: [example(command)], asks: OTHERS.map(example) };
  const words = entryWords(entry);
  const [program = ""] = words;
  const siblings =
    words.length > 1 ? (SIBLINGS[program] ?? []).filter((each) => !each.startsWith(entry)) : [];
  const other = words.length > 1 ? [`${words.slice(0, -1).map(spelled).join(" ")} other`] : [];
  return {
    runs: [`${entry} src`, `${entry} | head -20`, command].map(example),
    asks: [
      ...(words.length === 2 ? [...siblings, ...other] : [...other, ...siblings]),
      `${entry} > out.txt`,
      ...OTHERS,
    ].map(example),
  };
}

function pathCandidates({ subject }: Situation, workspace: Workspace): { runs: Example[]; asks: Example[] } {
  const [first] = subject.invocation.paths;
  if (!first) return { runs: [], asks: [] };
  const example = (path: string): Example => ({
    text: displayPath(workspace, path),
    in: (situation) => ({
      ...situation,
      subject: {
        ...situation.subject,
        invocation: { ...situation.subject.invocation, paths: [{ path, access: first.access }] },
      },
    }),
  });
  const folder = dirname(first.path);
  return {
    runs: [example(first.path)],
    asks: [example(join(folder, ".env")), example(join(folder, ".git", "config"))],
  };
}
