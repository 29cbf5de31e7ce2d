/** The profiles of programs that a user may have on the allow list. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { awk } from "./awk.ts";
import * as builtins from "./builtins.ts";
import { cd } from "./builtins.ts";
import { CMDLETS, forEachObject, TAKES_PATHS, whereObject } from "./cmdlets.ts";
import { devTools } from "./dev-tools.ts";
import * as inspectors from "./file-inspectors.ts";
import { find } from "./find.ts";
import { git } from "./git-program.ts";
import { jq, yq } from "./jq.ts";
import { npm } from "./npm.ts";
import { harmless, namesOnly, type Profile } from "./profile.ts";
import { make, unknown } from "./runners/unknown.ts";
import { sed } from "./sed.ts";
import * as tools from "./text-tools.ts";
import { WRITERS, writer } from "./writers.ts";

const list = (names: string) => names.split(" ");

/** PowerShell's own cmdlets. In other shells, their aliases may be other programs. */
const cmdlets = new Map<string, Profile>([
  ...[...CMDLETS].map((name): [string, Profile] => [name, TAKES_PATHS.test(name) ? harmless : namesOnly]),
  // For these, only existence is checked: the content is not read.
  ...list("get-childitem gci get-item gi test-path resolve-path").map((name): [string, Profile] => [
    name,
    namesOnly,
  ]),
  ...list("where where-object").map((name): [string, Profile] => [name, whereObject]),
  ["foreach-object", forEachObject],
  // The Windows version prints lines of files.
  ["find", { judge: find.judge }],
  ...list("set-location sl").map((name): [string, Profile] => [name, cd]),
]);

const profiles = new Map<string, Profile>([
  ...list(
    "cat head tail tac nl rev cut fold comm cmp od hexdump paste join column expand unexpand fmt type",
  ).map((name): [string, Profile] => [name, harmless]),
  ...list(
    "ls pwd echo tr dir true false basename dirname realpath readlink stat df uname whoami id groups which whereis nproc uptime seq sleep tty ver vol where",
  ).map((name): [string, Profile] => [name, namesOnly]),
  ...devTools(unknown),
  ...list(
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum shasum md5 sha1 sha256 xxhsum xxh64sum",
  ).map((name): [string, Profile] => [name, tools.sums]),
  ["wc", tools.wc],
  ["file", inspectors.file],
  ["findstr", inspectors.findstr],
  ["less", inspectors.pager],
  ["more", inspectors.pager],
  ["du", tools.du],
  ["diff", tools.diff],
  ["strings", tools.strings],
  ["ps", tools.psProfile],
  ["[", builtins.test],
  ...WRITERS.map((name): [string, Profile] => [name, writer]),
  ["make", make],
  ["jq", jq],
  ["yq", yq],
  ["xxd", tools.xxd],
  ["base64", tools.base64Profile],
  ["man", tools.man],
  ["grep", tools.grep],
  ["egrep", tools.grep],
  ["fgrep", tools.grep],
  ["rg", tools.rg],
  ["find", find],
  ["sort", tools.sort],
  ["uniq", tools.uniq],
  ["tree", tools.tree],
  ["tar", tools.tar],
  ["date", tools.date],
  ["hostname", tools.hostname],
  ["printf", builtins.printf],
  ["test", builtins.test],
  ["tee", tools.tee],
  ["dd", tools.dd],
  ["curl", tools.curl],
  ["wget", tools.wget],
  ...list("cd chdir").map((name): [string, Profile] => [name, cd]),
  ["command", tools.commandV],
  ["sed", sed],
  ["gsed", sed],
  ["awk", awk],
  ["gawk", awk],
  ["mawk", awk],
  ["nawk", awk],
  ["git", git],
  ["npm", npm],
  ["pnpm", npm],
  ["yarn", npm],
]);

export function profileOf(name: string, shell: string): Profile {
  return (shell === "powershell" ? cmdlets.get(name) : undefined) ?? profiles.get(name) ?? unknown;
}

/**
 * Whether a program may change files of the project, or run something that does. Nothing is certain about unknown
 * programs.
 */
export function mayChange(name: string, shell: string): boolean {
  const profile = profileOf(name, shell);
  return profile === unknown || profile === npm || profile.writes !== undefined || RUNS.has(name);
}

const RUNS = new Set([...devTools(unknown).map(([name]) => name), "make"]);

/** Whether a program is known and never runs a file that it is given. */
export function readsOnly(name: string, shell: string): boolean {
  return name !== "pytest" && profileOf(name, shell) !== unknown;
}

/** Commands that change the shell itself or run their arguments: no list entry makes these run without approval. */
const ALWAYS_ASK = new Map<string, Reason>([
  ...list(
    "eval exec source . builtin trap enable disable alias unalias abbr export declare typeset integer float private printenv local readonly unset unfunction set shopt setopt unsetopt emulate read vared mapfile readarray getopts argparse let shift exit logout return break continue suspend hash rehash unhash bind bindkey complete compgen compopt compctl compdef compadd zmodload autoload zle zstyle zparseopts zformat zpty zselect zsocket ztcp zftp zcurses zstat zprof sched fc r history bg fg disown wait pushd popd dirs functions funced funcsave function commandline status fish_config fish_update_completions noglob nocorrect - limit unlimit ulimit umask ttyctl echotc echoti strftime syserror print repeat coproc emit block psub",
  ).map((name): [string, Reason] => [name, reasonOf("changes-shell", name)]),
  ...list(
    "sudo doas su env xargs parallel nohup nice ionice timeout time stdbuf setsid setpriv capsh prlimit choom numactl setarch busybox toybox watch script chroot unshare nsenter ssh ssh-agent npx bunx pnpx uvx pipx expect unbuffer flock ltrace strace gdb start-process invoke-expression iex invoke-command icm start-job",
  ).map((name): [string, Reason] => [name, reasonOf("runs-commands", name)]),
]);

export function alwaysAsks(name: string): Reason | undefined {
  const key = name.toLowerCase();
  return ALWAYS_ASK.get(name) ?? ALWAYS_ASK.get(key);
}
