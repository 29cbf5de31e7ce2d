/** Programs that run code or commands that their words give them: the user's entries cover these only exactly as written. */

const INTERPRETERS = new Set(
  "sh bash zsh dash ash ksh fish csh tcsh nu xonsh pwsh powershell cmd python pypy ipython node nodejs deno bun tsx ts-node vite-node ruby irb perl php lua luajit julia rscript java jshell groovy scala kotlin elixir iex erl ghci runghc ocaml guile racket clojure bb swift dart crystal nim osascript wscript cscript mshta tclsh expect make.exe awk gawk mawk nawk ed ex vi vim nvim emacs sqlite3 psql mysql mongosh redis-cli gdb lldb".split(
    " ",
  ),
);

const RUNNERS = new Set(
  "sudo doas su env xargs parallel sem nohup nice ionice chrt taskset timeout gtimeout time stdbuf setsid busybox toybox watch script chroot unshare nsenter bwrap ssh ssh-agent flock wine asciinema vipe crontab at batch strace ltrace npx bunx pnpx uvx pipx entr eval exec source . builtin command alias trap export declare set unset enable start start-process invoke-expression iex invoke-command icm start-job".split(
    " ",
  ),
);

/** Words of shells before a command; a grammar of another shell may read them as its name. */
const KEYWORDS = new Set(
  "and or not begin if while until then else do noglob nocorrect coproc chronic ! {".split(" "),
);

/** Returns the program's own name: without its folder, extension and version. */
export function programOf(word: string): string {
  return namesOf(word).at(-1) ?? word;
}

/** Whether it runs text or files as code. */
export function isInterpreter(word: string): boolean {
  return namesOf(word).some((name) => INTERPRETERS.has(name));
}

/** Whether it runs the words after it as a command, or changes what the shell runs. */
export function isRunner(word: string): boolean {
  return namesOf(word).some((name) => RUNNERS.has(name));
}

/** Whether the command begins after it, or after more words. */
export function precedesCommand(word: string): boolean {
  return isRunner(word) || KEYWORDS.has(word);
}

/** Returns the names of `/usr/bin/Python3.11.exe`: of the file, without its extension, and without its version. */
export function namesOf(word: string): string[] {
  const file = word.replace(/^.*[\\/]/s, "").toLowerCase();
  const name = file.replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");
  const plain = name.replace(/[-_]?\d[\d.]*[a-z]?$/, "");
  return [file, name, ...(plain === "" ? [] : [plain])];
}
