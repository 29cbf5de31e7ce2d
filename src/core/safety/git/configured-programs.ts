/**
 * Determines which programs a repository's own configuration makes git start, and for which subcommands. The user's
 * global configuration is trusted; a repository's configuration may have come with an archive, or from a command.
 */
import type { ConfigEntry } from "./git-config.ts";
import type { GitUse } from "./git-use.ts";

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Keys of `core` that run nothing, whatever their value. */
const CORE = words(`
  abbrev attributesfile autocrlf bare bigfilethreshold checkroundtripencoding checkstat commentchar commentstring commitgraph
  compression createobject deltabasecachelimit eol excludesfile filemode filesreflocktimeout fscache fsync fsyncmethod
  fsyncobjectfiles hidedotfiles ignorecase ignorestat logallrefupdates longpaths loosecompression maxtreedepth multipackindex
  notesref packedgitlimit packedgitwindowsize packedrefstimeout precomposeunicode prefersymlinkrefs preloadindex protecthfs
  protectntfs quotepath repositoryformatversion restrictinheritedhandles safecrlf sharedrepository sparsecheckout
  sparsecheckoutcone splitindex symlinks trustctime untrackedcache unsetenvvars usereplacerefs warnambiguousrefs whitespace
`);
/** Keys in `[diff "kind"]`, which apply to one kind of file. */
const DIFF_KIND = words("algorithm binary cachetextconv funcname trustexitcode wordregex xfuncname");
/** The entries that git-lfs writes into a configuration. */
const LFS = /^git-lfs (?:clean -- %f|smudge (?:--skip )?-- %f|filter-process(?: --skip)?)$/;
const BOOLEAN = /^(?:|0|1|true|false|yes|no|on|off)$/i;
/** Pagers by name, with plain options; a path or another program asks. */
const PAGER = /^(?:|cat|more|less(?: -[A-Za-z]+)*)$/;
const GPG = /^(?:|gpg2?|gpgsm|ssh-keygen)$/;

/** Applies only to subcommands that change or fetch something: the user listed these and accepts less certainty. */
const CHANGING = words(`
  core.editor core.askpass core.sshcommand core.gitproxy core.alternaterefscommand sequence.editor interactive.difffilter
  gc.recentobjectshook
`);
const FETCHING = words("core.askpass core.sshcommand core.gitproxy");

/**
 * Returns the entry's name if it makes git run a program for such a use. `fetches`: missing objects are fetched when
 * needed.
 */
export function startedBy(entry: ConfigEntry, use: GitUse, fetches: boolean): string | undefined {
  return starts(entry, use, fetches) ? shown(entry) : undefined;
}

function shown({ section, sub, key }: ConfigEntry): string {
  return [section, sub, key].filter((part) => part !== "").join(".");
}

function starts(entry: ConfigEntry, { verb, reach }: GitUse, fetches: boolean): boolean {
  const { section, sub, key, value } = entry;
  const changes = reach === "changes";
  if (CHANGING.has(`${section}.${key}`)) return changes || (fetches && FETCHING.has(`${section}.${key}`));
  if ((changes || fetches) && reaches(entry)) return true;
  switch (section) {
    case "alias":
      // git allows an alias to replace a removed subcommand.
      return (sub === "" ? key : sub.toLowerCase()) === verb;
    case "pager":
      return (key === verb || sub === verb) && !BOOLEAN.test(value) && !PAGER.test(value);
    case "gpg":
      return /program$/.test(key) ? !GPG.test(value) : /command/.test(key);
    case "core":
      return coreStarts(entry, reach);
    case "hook":
      return true;
    case "log":
      return key === "showsignature" && !/^(?:0|false|no|off|)$/i.test(value);
    case "format":
    case "pretty":
      return /%[-+ ]?G|%\(signature/.test(value);
    case "diff":
      if (reach === "refs") return false;
      return sub === "" ? /external|command|textconv/.test(key) : !DIFF_KIND.has(key);
    case "filter":
      return reach !== "refs" && key !== "required" && !LFS.test(value) && !/^(?:|cat)$/.test(value);
    case "merge":
      return (changes || reach === "history") && key === "driver";
    case "lfs":
      // lfs.extension.NAME.clean, lfs.customtransfer.NAME.path: programs of git-lfs, which may be the user's filter.
      return reach !== "refs" && /^(?:extension|customtransfer)\b/i.test(sub);
    default:
      return changes && runsLater(entry);
  }
}

function coreStarts({ key, value }: ConfigEntry, reach: GitUse["reach"]): boolean {
  if (key === "pager") return !PAGER.test(value);
  if (key === "fsmonitor") return reach !== "refs" && !BOOLEAN.test(value);
  // hookspath and worktree are judged by the folders that they name, which requires the disk.
  return key !== "hookspath" && key !== "worktree" && !CORE.has(key);
}

/** Whether an entry may start a program that connects to another repository. */
function reaches({ section, sub, key, value }: ConfigEntry): boolean {
  if (section === "remote") {
    if (/^(?:uploadpack|receivepack|vcs)$/.test(key)) return true;
    return /^(?:push)?url$/.test(key) && /^[A-Za-z0-9+.-]+::/.test(value);
  }
  if (section === "url") return /^[A-Za-z0-9+.-]+::/.test(sub);
  if (section === "credential") return key === "helper" && !/^[A-Za-z][\w-]*(?: -[\w=-]+)*$|^$/.test(value);
  return section === "protocol";
}

/** Whether an entry names a program of a subcommand that does more than show, for example help, archive or mergetool. */
function runsLater({ section, key, value }: ConfigEntry): boolean {
  if (section === "submodule") return value.startsWith("!");
  if (/^(?:man|browser|difftool|mergetool|guitool)$/.test(section) && key === "path") return true;
  return /^(?:command|cmd|packobjectshook|smtpserver|sendmailcmd|tocmd|cccmd|headercmd)$/.test(key);
}

/** Whether missing objects are fetched from elsewhere when a command needs them. */
export function fetchesMissing(entries: readonly ConfigEntry[]): boolean {
  return entries.some(
    ({ section, key, value }) =>
      (section === "extensions" && key === "partialclone") ||
      (section === "remote" && key === "promisor" && !/^(?:0|false|no|off|)$/i.test(value)),
  );
}
