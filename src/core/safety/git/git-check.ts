/**
 * Checks a repository before git reads it, with questions to git itself: what its own configuration would start, and whether what a
 * command shows may contain a secret. Only git's port asks them, which starts none of these programs.
 */
import { dirname, join, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { messageOf } from "../../errors.ts";
import type { Files } from "../../ports/files.ts";
import type { Git } from "../../ports/git.ts";
import type { Clock } from "../../ports/system.ts";
import { isInside } from "../../roots.ts";
import { withoutKnownSecrets } from "../../secrets.ts";
import { secretName } from "../paths/secret-names.ts";
import type { GitUse } from "./git-use.ts";

export interface GitCheck {
  files: Files;
  git: Git | undefined;
  clock: Clock;
  /** The real paths of the project's folders. */
  homes: readonly string[];
  /** Whether .nekodeignore matches this absolute path. */
  ignored(path: string): boolean;
}

/** Time limit in milliseconds for git's answers, and maximum characters of each. */
const TIMEOUT_MS = 2_000;
const MAX_CHARACTERS = 5_000_000;

/**
 * Keys of a repository's own configuration that start nothing, whatever their value, and print nothing. The user's own configuration
 * is trusted; a repository's may have come with an archive, or from a command.
 */
const HARMLESS = new RegExp(
  `^(?:${[
    "core\\.(?:abbrev|autocrlf|bare|commentchar|compression|eol|filemode|fscache|hookspath|ignorecase|logallrefupdates|longpaths|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|symlinks|trustctime|untrackedcache|whitespace)",
    "diff\\.(?:algorithm|renames|colormoved|mnemonicprefix|noprefix|context|submodule|ignoresubmodules)",
    "log\\.(?:date|decorate|follow|abbrevcommit)",
    "(?:advice|alias|author|branch|checkout|clone|color|commit|committer|credential|difftool|extensions|feature|fetch|gc|gui|http|i18n|index|init|maintenance|merge|mergetool|pack|protocol|pull|push|rebase|receive|remote|rerere|status|tag|transfer|user|worktree)\\.(?:.*\\.)?[^.]*",
    "lfs\\.(?!extension|customtransfer).*",
    "filter\\.lfs\\.required",
  ].join("|")})$`,
);
/** The entries that git-lfs writes into a configuration. */
const LFS = /^git-lfs (?:clean -- %f|smudge (?:--skip )?-- %f|filter-process(?: --skip)?)$/;
/** Settings that are secret by their name. */
const SECRET_KEY = /token|passw|passphrase|secret|extraheader|(?:api|private|access)_?-?key|smtppass/;
/** Missing objects would be fetched with the help of programs that the configuration names. */
const FETCHES = /^(?:extensions\.partialclone|remote\..*\.promisor)$/;

/** Returns why this use of git in a folder (real, absolute) asks; otherwise undefined. */
export async function refusedGit(use: GitUse, folder: string, check: GitCheck): Promise<Reason | undefined> {
  const { git, clock } = check;
  if (git?.steeredBy !== undefined) return reasonOf("git-steered", git.steeredBy);
  const unclear = reasonOf("repository-unclear", folder);
  if (!git) return unclear;
  if (use.verb === "--version") return undefined;
  const ended = new AbortController();
  const timer = clock.after(TIMEOUT_MS, () => ended.abort());
  try {
    const bounds = { limit: MAX_CHARACTERS, signal: ended.signal };
    const asked: Question = async (separator, ...args) =>
      (await git.ask(folder, args, bounds))?.split(separator).filter((part) => part !== "");
    return await refusedIn(use, asked, check, unclear);
  } catch (error) {
    if (/not a git repository/.test(messageOf(error)))
      return use.readsAnyFiles ? reasonOf("git-outside") : undefined;
    // Git is not there, too old, or did not answer in time: nothing is known of the repository.
    return unclear;
  } finally {
    timer.dispose();
  }
}

/** Returns the parts of git's answer that end with `separator`; undefined if it exits with an error. */
type Question = (separator: "\0" | "\n", ...args: string[]) => Promise<string[] | undefined>;

async function refusedIn(
  use: GitUse,
  asked: Question,
  check: GitCheck,
  unclear: Reason,
): Promise<Reason | undefined> {
  const places = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
  const [found, settings, staged] = await Promise.all([
    asked("\n", "rev-parse", "--path-format=absolute", ...places),
    asked("\0", "config", "--list", "-z", "--show-scope"),
    asked("\0", "ls-files", "--stage", "-z", "--full-name", ":/"),
  ]);
  const [top, gitDir, commonDir] = found ?? [];
  if (top === undefined || gitDir === undefined || commonDir === undefined || !settings || !staged)
    return unclear;
  if (!(await isOfProject(top, gitDir, commonDir, check))) return reasonOf("git-elsewhere");
  let hooks = join(commonDir, "hooks");
  for (let i = 0; i + 1 < settings.length; i += 2) {
    const [scope = "", entry = ""] = settings.slice(i, i + 2);
    const end = entry.indexOf("\n");
    const setting = {
      key: end < 0 ? entry : entry.slice(0, end),
      value: end < 0 ? "true" : entry.slice(end + 1),
    };
    const refused = refusedSetting(setting, /^(?:local|worktree)$/.test(scope), use);
    if (refused) return refused;
    // The question itself has another folder of hooks.
    if (setting.key === "core.hookspath" && scope !== "command") hooks = resolve(top, setting.value);
  }
  // The only hook of commands that show: they write what they saw of the files into the index.
  if (await check.files.stat(join(hooks, "post-index-change")))
    return reasonOf("repository-runs-program", "hooks/post-index-change");

  // A repository in it has a configuration of its own.
  const inner = staged.find((line) => line.startsWith("160000 "));
  if (inner !== undefined) return reasonOf("repository-unclear", join(top, nameIn(inner)));
  return use.showsContent ? secretInHistory(staged.map(nameIn), { top, gitDir }, asked, check) : undefined;
}

/** `isOwn`: the repository's own configuration has this setting. */
function refusedSetting(
  { key, value }: { key: string; value: string },
  isOwn: boolean,
  { printsSettings }: GitUse,
): Reason | undefined {
  if (printsSettings && (SECRET_KEY.test(key) || withoutCredentials(value) !== value))
    return reasonOf("configured-secret", key);
  if (!isOwn) return undefined;
  if (/^(?:core\.fsmonitor|pager\.[^.]+)$/.test(key) && /^(?:true|false)$/.test(value)) return undefined;
  const isHarmless =
    !FETCHES.test(key) && (HARMLESS.test(key) || (/^filter\.lfs\./.test(key) && LFS.test(value)));
  return isHarmless ? undefined : reasonOf("repository-runs-program", key);
}

/** `100644 <object> 0\tname` */
const nameIn = (line: string) => line.slice(line.indexOf("\t") + 1);

/** An address with a password or a token, or a secret of a well-known form. */
function withoutCredentials(text: string): string {
  return withoutKnownSecrets(text).replace(/:\/\/[^/\s@]*:[^/\s@]+@|:\/\/[\w-]{16,}@/g, "");
}

/** Whether the repository of this working tree is in it, or it is a worktree of a repository that knows it. */
async function isOfProject(
  top: string,
  gitDir: string,
  commonDir: string,
  check: GitCheck,
): Promise<boolean> {
  const { files, homes } = check;
  const real = (path: string) => files.realpath(path).catch(() => resolve(path));
  const [realTop, realGit, realCommon] = await Promise.all([top, gitDir, commonDir].map(real));
  if (realTop === undefined || !homes.some((home) => isInside(home, realTop) || isInside(realTop, home)))
    return false;
  if (realGit === join(realTop, ".git") && realCommon === realGit) return true;
  if (realGit === undefined || realCommon === undefined || dirname(dirname(realGit)) !== realCommon)
    return false;
  const back = await files.readText(join(realGit, "gitdir")).catch(() => undefined);
  return back !== undefined && (await real(dirname(back.text.trim()))) === realTop;
}

/** The names of all files that were ever committed, for the state of a repository's references. */
const historyNames = new WeakMap<Git, Map<string, Promise<string[] | undefined>>>();

/** Returns the first file of the repository, now or ever, whose content may not be shown without asking. */
async function secretInHistory(
  staged: readonly string[],
  { top, gitDir }: { top: string; gitDir: string },
  asked: Question,
  { git, files, ignored }: GitCheck,
): Promise<Reason | undefined> {
  const refused = (name: string) => secretName(name) !== undefined || ignored(join(top, name));
  const references = await asked("\n", "show-ref", "--head", "--hash");
  // What no reference leads to any more may still be in the log of HEAD.
  const log = await files.stat(join(gitDir, "logs/HEAD"));
  const state = JSON.stringify([top, log?.version, references]);
  const answers = (git && historyNames.get(git)) ?? new Map<string, Promise<string[] | undefined>>();
  if (git) historyNames.set(git, answers);
  if (!answers.has(state) && answers.size > 20) answers.clear();
  const names =
    answers.get(state) ??
    asked("\0", "log", "--all", "--reflog", "-m", "--name-only", "--no-renames", "--format=", "-z");
  answers.set(state, names);
  names.catch(() => answers.delete(state));
  // Without a commit there is nothing but the index.
  const committed = references === undefined || references.length === 0 ? [] : await names;
  if (!committed) return reasonOf("repository-unclear", top);
  const secret = [...staged, ...committed].find(refused);
  return secret === undefined ? undefined : reasonOf("history-secret", secret);
}
