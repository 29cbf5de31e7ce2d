/** The agents that come with the product, as examples. A file of the same name takes the place of one. */
import type { SessionAgent, ToolSelector } from "../../shared/session-agent.ts";
import type { Agent } from "./agents.ts";

const READ: ToolSelector = { of: "access", name: "read" };
const EDIT: ToolSelector = { of: "access", name: "edit" };
const COMMAND: ToolSelector = { of: "access", name: "command" };

/** Commands that show the history and the changes of a repository. */
const GIT_READING = ["status", "diff", "log", "show", "blame", "merge-base", "rev-parse", "ls-files"].map(
  (name) => `git ${name}`,
);

/** What the names of test files and of their folders have in common in the usual languages. */
const TEST_FILES = [
  "**/{test,tests,spec,specs,__tests__,__mocks__,testdata,fixtures}/**",
  "**/*.{test,spec}.*",
  "**/*_test.*",
  "**/*_spec.*",
  "**/test_*.*",
  "**/conftest.py",
  "**/*{Test,Tests,Spec}.{java,kt,cs,swift,php,scala,groovy}",
];

const ASK = builtIn(
  "ask",
  "Answers questions about the project. It only reads.",
  `Answer what the user asks about this project. You only read: you change no file and run no command.

- Find the answer in the code rather than in names and comments, and name the files and lines that show it.
- Answer first, briefly, then give the reasons. If the code does not tell, say what is missing.
- If the user wants a change, describe it: which files, which lines, what would have to be checked.`,
  { tools: [READ], denied: [] },
);

const REVIEW = builtIn(
  "review",
  "Reviews changes. It reads files and what git shows, and changes nothing.",
  `Review the changes that the user names; without a name, those that are not committed, or else those of the current branch since it left the main one. Begin with git status and git diff.

- Read the code around each change, what calls it, and its tests. A diff alone does not tell whether a change is right.
- Report only what you can show: for each finding the file and line, what goes wrong and when, and a correction. Order the findings by what they cost users.
- Tell faults from matters of taste, and leave out the latter unless a rule of the project asks for them.
- If there is nothing to report, say so, and say what you checked.
- You change nothing.`,
  {
    tools: [READ, COMMAND],
    denied: [],
    commands: GIT_READING,
    handoffs: [
      { label: "Fix the findings", agent: "act", prompt: "Fix the findings of your review.", send: false },
    ],
  },
);

const TEST = builtIn(
  "test",
  "Writes and runs tests. It changes test files only.",
  `Write tests for what the user names, and run them. You edit test files only.

- Look at the tests that there are first, and follow their tools, folders, names and style.
- Test what the code promises, with the inputs that are likely to break it, rather than how it is written. Let each test fail once, for example with a wrong expectation, before you rely on it.
- If a test shows a fault of the code, keep the test, say what is wrong and where, and do not make the test fit the fault.
- End with what is tested, what is not, and the result of the last run.`,
  {
    tools: [READ, EDIT, COMMAND],
    denied: [],
    editable: TEST_FILES.map((pattern) => ({ kind: "glob" as const, pattern })),
  },
);

export const BUILT_IN_AGENTS: readonly Agent[] = [ASK, REVIEW, TEST];

function builtIn(
  name: string,
  description: string,
  instructions: string,
  session: Pick<SessionAgent, "tools" | "denied"> & Partial<SessionAgent>,
): Agent {
  return {
    kind: "agent",
    ...{ name, description },
    file: "",
    source: "nekode",
    scope: "system",
    ...{ path: "", folder: "", within: "" },
    argumentNames: [],
    byModel: false,
    byUser: true,
    body: instructions,
    problems: [],
    session: { name, file: "", instructions, handoffs: [], ...session },
    models: [],
  };
}
