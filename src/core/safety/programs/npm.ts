import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import { mayBecomeOption } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";
import { notCovered } from "./runners/ecosystems.ts";

/**
 * npm, yarn and pnpm: accepts the scripts that are listed by name; installing, and everything that loads other code,
 * asks.
 */
export const npm: Profile = { judge, files: () => [] };

const OWN = new Set(
  "--silent -s --quiet -q --if-present --workspaces -ws --no-color --color --loglevel=error --loglevel=warn --loglevel=silent --no-fund --no-audit".split(
    " ",
  ),
);
const SHOWS = new Set(
  "ls list ll la outdated view info show why explain root prefix bin ping whoami".split(" "),
);

const SHOWN =
  /^(?:--(?:depth=\d+|all|json|long|parseable|prod|omit=dev|global|production)|-[agl]|(?!-)@?[\w./-]+)$/;

/** Arguments for test runners and linters that select and report, and do not write or load. */
const PASSED =
  /^(?:-[ti]|-[vw]|--(?:testNamePattern|testPathPatterns?|grep|filter|run|verbose|silent|quiet|bail|ci|runInBand|coverage|no-coverage|passWithNoTests|no-watch|watch=false|watchAll=false|color|colors|no-color|maxWorkers|max-warnings|timeout|testTimeout|project|retry|dry-run|list|listTests|help|version|check|noEmit|pretty)(?:=.*)?|--reporters?=(?:dot|spec|tap|verbose|default|basic|json|list|line|min|nyan|progress))$/s;

function judge(call: ProgramCall): Reason | undefined {
  const { name, words, entry } = call;
  const sub = words[0];
  if (!sub) return reasonOf("not-listed", name);
  const listed = entry.slice(1);
  const runs = sub.text === "run" || sub.text === "run-script";
  const known = /^(?:test|t|tst|start|stop|restart)$/.test(sub.text) || runs;
  const more = notCovered(call);
  if (more) return more;
  if (entry.length === 1) return undefined;
  if (listed[0] !== sub.text) return reasonOf("not-listed", `${name} ${sub.text}`);
  if (runs && (listed.length < 2 || words[1]?.text !== listed[1]))
    return words.length === 1 ? undefined : reasonOf("not-listed", name);
  const rest = words.slice(runs ? 2 : 1);
  if (/^(?:ls|list|outdated|why)$/.test(sub.text) && rest.every(({ text }) => SHOWN.test(text)))
    return undefined;
  if (!known && !SHOWS.has(sub.text))
    return rest.length <= listed.length - 1 ? undefined : reasonOf("not-listed", `${name} ${sub.text}`);
  return passed(rest, listed, name === "npm");
}

function passed(words: Word[], listed: string[], dashes: boolean): Reason | undefined {
  // npm reads options before `--` itself; the others pass everything on.
  let own = dashes;
  for (const word of words) {
    const { text } = word;
    if (mayBecomeOption(word)) return reasonOf("pattern-option", text);
    if (text === "--") {
      own = false;
      continue;
    }
    if (listed.includes(text)) continue;
    // The package manager inserts these into a command line for another shell.
    if (/[^\p{L}\p{N}\w./:@=,+ -]/u.test(text)) return reasonOf("script-shell-changes-word", text);
    if (text.startsWith("-")) {
      if (!(own ? OWN : { has: (t: string) => OWN.has(t) || PASSED.test(t) }).has(text))
        return reasonOf("option", text.replace(/=.*$/s, ""));
    } else if (/^[/~\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(text))
      return reasonOf("outside-project", text);
  }
  return undefined;
}
