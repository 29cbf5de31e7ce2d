/** The built-in list of read-only commands, combined with the user's own list. */

const lines = (text: string): string[] =>
  text
    .split("\n")
    .flatMap((line) => line.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/**
 * Command prefixes, matched by word. An entry covers only calls that the judge knows to be read-only: `sort -o`, `find
 * -delete`, `git branch -D` or a file with secrets still ask.
 */
const everywhere = lines(`
  git --version, git status, git log, git diff, git show, git grep, git blame, git branch, git tag, git remote, git stash list
  git stash show, git ls-files, git ls-tree, git rev-parse, git check-ignore, git cat-file
  ls, dir, cd, pwd, echo, cat, type, rg, find, sort, tree, where, whoami
  node --version, node -v, python --version, python3 --version
`);

/** bash, zsh, sh and fish; on Windows, PowerShell and cmd may find the same programs. */
const unix = lines(`
  true, false, sleep, seq
  head, tail, wc, nl, tac, rev, cut, tr, fold, fmt, column, paste, join, expand, unexpand, comm, cmp, diff, uniq, sed
  grep, egrep, fgrep, od, hexdump, md5sum, sha1sum, sha256sum, sha512sum
  jq, stat, file, du, df, basename, dirname, realpath, readlink, which, whereis, uptime, id, groups, uname, nproc, tty
`);

/** Short names that may be other programs in other shells. */
const powershell = lines(`
  Get-ChildItem, gci, Get-Content, gc, Get-Item, gi, Get-Location, gl, Set-Location, sl, chdir, Select-String, sls
  Select-Object, select, Where-Object, Sort-Object, Group-Object, group, Measure-Object, measure, Compare-Object
  Get-Unique, Get-Member, gm, Format-Table, ft, Format-List, fl, Format-Wide, fw, Out-String, Out-Null, ConvertTo-Json
  ConvertFrom-Json, Test-Path, Resolve-Path, Split-Path, Join-Path, Get-FileHash, Get-Date, Get-Command, gcm, Get-Random
  Start-Sleep, Write-Output, write, Write-Host, findstr
`);

const cmd = lines("chdir, findstr, ver, vol");

/** The built-in entries for one shell ("bash", "powershell", ...). */
export function builtInCommands(shell: string): readonly string[] {
  if (shell === "cmd") return [...everywhere, ...unix, ...cmd];
  return shell === "powershell" ? [...everywhere, ...unix, ...powershell] : [...everywhere, ...unix];
}

/** The list of the first releases, which copied it into the settings when the user added a first entry. */
const copiedOnce: readonly string[] = lines(
  "git status, git log, git diff, git show, ls, pwd, echo, cat, head, tail, wc",
);

/** The built-in entries without those that begin with the words of a user entry such as `!git grep`. */
export function remainingCommands(own: readonly string[], shell: string): string[] {
  const removed = own.filter((entry) => entry.startsWith("!")).map((entry) => `${entry.slice(1).trim()} `);
  return builtInCommands(shell).filter((entry) => !removed.some((words) => `${entry} `.startsWith(words)));
}

/** The commands that count as safe: the built-in list, without what the user removed, and the user's. */
export function allowedCommands(own: readonly string[], shell: string): string[] {
  const added = withoutCopy(own).filter((entry) => !entry.startsWith("!"));
  return [...new Set([...remainingCommands(own, shell), ...added])];
}

/**
 * The user's own entries, which run even where safe commands ask. Entries of the first releases' list do not count:
 * there is no way to know whether the user or a release added them.
 */
export function addedCommands(own: readonly string[]): string[] {
  return own.filter((entry) => !entry.startsWith("!") && !copiedOnce.includes(entry));
}

/** The value to store in the settings: the user's list plus one entry, without the first releases' list. */
export function withAdded(own: readonly string[], entry: string): string[] {
  const rest = withoutCopy(own);
  return rest.includes(entry) ? rest : [...rest, entry];
}

function withoutCopy(own: readonly string[]): string[] {
  const copied = copiedOnce.every((entry) => own.includes(entry));
  return own.filter((entry) => !(copied && copiedOnce.includes(entry)));
}
