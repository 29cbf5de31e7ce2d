/** Programs that run what they are given, as code or as a command: an allow entry counts for them only as it stands. */

const names = (list: string) => new Set(list.split(/\s+/).filter((name) => name !== ""));

/** They run text as code. */
const INTERPRETERS = names(`
  sh bash zsh dash ash ksh mksh oksh pdksh yash csh tcsh fish xonsh elvish nu nushell rc es ion pwsh powershell cmd command.com
  python pythonw py pypy ipython bpython jython micropython node nodejs iojs deno bun tsx ts-node ts-node-esm ts-node-script ts-node-cwd
  vite-node jiti esr esno babel-node swc-node sucrase-node coffee zx electron qjs d8 jsc hermes rhino nashorn jjs
  ruby irb jruby rbx perl raku php php-cgi hhvm lua luajit luau tclsh wish expect osascript jxa rscript r littler julia octave
  matlab gnuplot maxima sage guile racket sbcl clisp ecl chicken csi scheme gsi ghci runghc runhaskell stack ocaml ocamlrun
  utop fsi dotnet-script csharp groovy groovysh jshell java jbang scala scala-cli amm kotlin kotlinc clojure clj bb lein
  elixir erl escript mix swift swiftc dart crystal nim nimble v zig tcc cling gforth swipl gprolog m4 dc
  ed ex vi view vim vimdiff rvim gvim nvim emacs emacsclient nano pico joe mc sqlite3 sqlite psql mysql mariadb duckdb
  mongo mongosh redis-cli sqlplus sqlcmd osql cqlsh wscript cscript mshta rundll32 regsvr32 msbuild installutil gdb lldb nc ncat
  netcat socat telnet ftp sftp tmux screen at batch crontab make.exe
`);

/** They run the words behind them as a command, or what those words name. */
const RUNNERS = names(`
  sudo doas su env xargs parallel nohup nice ionice chrt taskset timeout gtimeout time stdbuf setsid setarch busybox toybox watch
  script chroot unshare nsenter firejail bwrap proot fakeroot flock ltrace strace dtrace valgrind perf rr catchsegv ssh mosh autossh
  rsh plink wsl npx bunx pnpx uvx pipx unbuffer entr nodemon pm2 forever concurrently cross-env cross-env-shell dotenv env-cmd
  npm-run-all run-s run-p wireit direnv mise asdf rtx pyenv rbenv nodenv nvm foreman overmind hivemind honcho ptyxis xterm
  gnome-terminal konsole nyc c8 hyperfine ldd systemd-run systemd-nspawn pkexec runuser sg newgrp distrobox toolbox start-process invoke-expression iex
  invoke-command icm start-job
`);

/** They do so behind these subcommands. */
const SUBCOMMANDS: readonly (readonly [programs: ReadonlySet<string>, verbs: RegExp])[] = [
  [
    names("docker podman nerdctl lima limactl finch docker-compose"),
    /^(?:run|exec|create|shell|start|compose|container|buildx|build)$/,
  ],
  [names("kubectl oc k3s minikube microk8s"), /^(?:exec|run|debug|attach|cp|kubectl|ssh|plugin)$/],
  [names("npm pnpm yarn bun deno"), /^(?:exec|x|dlx|create|init|node|eval|explore|run-script-shell|task)$/],
  [
    names("uv poetry pipenv pdm hatch rye conda mamba micromamba pixi tox nox"),
    /^(?:run|shell|exec|tool|x)$/,
  ],
  [names("cargo"), /^(?:run|r|install|script|xtask|watch|expand)$/],
  [names("go"), /^(?:run|generate|tool|install)$/],
  [names("dotnet"), /^(?:run|exec|script|tool|watch|fsi)$|\.dll$/],
  [names("bundle bundler"), /^(?:exec|e|console)$/],
  [names("rails"), /^(?:runner|r|console|c|dbconsole)$/],
  [names("flutter"), /^(?:run|pub)$/],
  [names("nix nix-shell guix"), /^(?:run|shell|develop|environment|repl|--run|--command)$/],
  [
    names("vagrant heroku fly flyctl gcloud aws az railway"),
    /^(?:ssh|run|console|ps:exec|compute|ssm|exec|vm)$/,
  ],
  [names("flatpak snap adb lxc incus"), /^(?:run|shell|exec)$/],
  [names("gh"), /^(?:alias|extension|codespace|api)$/],
  [names("php"), /^artisan$/],
  [names("ip"), /^exec$/],
  [names("openssl"), /^(?:engine|provider)$/],
  [
    names("git"),
    /^(?:bisect|filter-branch|difftool|mergetool|submodule|daemon|instaweb|config|remote-.*|upload-pack|receive-pack|shell|http-backend|p4|svn|send-email|sh-.*|for-each-repo|maintenance|hook|var|help)$/,
  ],
];

/** git's own subcommands; any other may be an alias, which may say something else tomorrow. */
const GIT = names(`
  add am annotate apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone commit
  count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep init log ls-files ls-remote
  ls-tree merge merge-base mv name-rev notes prune pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert
  rm shortlog show show-branch show-ref sparse-checkout stash status switch tag update-index verify-commit verify-tag version
  whatchanged worktree
`);

/** `/usr/bin/Python3.11.exe` is python. */
export function programOf(word: string): string {
  const name = word
    .replace(/^.*[\\/]/s, "")
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");
  const plain = name.replace(/[-_]?\d[\d.]*[a-z]?$/, "");
  return INTERPRETERS.has(name) || RUNNERS.has(name) || plain === "" ? name : plain;
}

/** Whether a program runs text as code. An allow entry for one counts only when it names the script. */
export function isInterpreter(word: string): boolean {
  return INTERPRETERS.has(programOf(word));
}

/** Names that as a further word of a command stand for the program itself. */
const PLAIN_PROGRAM =
  /^(?:ba|z|da|k|fi|c|tc)?sh$|^(?:pwsh|powershell|cmd|python|pypy|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|osascript|busybox|env|sudo|xargs|npx|ssh)$/;

/** Which of these words makes the command one that runs what it is given, or undefined. `words` without expansions. */
export function runsGiven(words: readonly string[]): string | undefined {
  const [first = "", ...rest] = words;
  const program = programOf(first);
  if (INTERPRETERS.has(program) || RUNNERS.has(program)) return first;
  const verbs = SUBCOMMANDS.find(([programs]) => programs.has(program))?.[1];
  const verb = rest.find((word) => !word.startsWith("-"));
  if (verbs && rest.some((word) => verbs.test(word))) return `${first} ${verb ?? ""}`.trim();
  if (program === "git" && (verb === undefined || !GIT.has(verb))) return `${first} ${verb ?? ""}`.trim();
  return undefined;
}

/** Whether words that the entry does not name make the command run what it is given. */
export function runsBehind(words: readonly string[], entry: readonly string[]): boolean {
  if (RUNNERS.has(programOf(words[0] ?? ""))) return words.slice(1).some((word) => !entry.includes(word));
  const verbs = SUBCOMMANDS.find(([programs]) => programs.has(programOf(words[0] ?? "")))?.[1];
  return words.slice(1).some((word) => verbs?.test(word) && !entry.includes(word));
}

/** Programs whose subcommands above take a command of another program. */
const TAKES_COMMAND = names(
  "docker podman nerdctl kubectl oc uv poetry pipenv pdm hatch rye conda mamba bundle go nix flatpak lxc adb vagrant heroku fly gcloud",
);

/** An entry such as `docker exec`, which leaves open what is run. */
export function leavesOpen(entry: readonly string[]): boolean {
  const program = programOf(entry[0] ?? "");
  const verbs = SUBCOMMANDS.find(([programs]) => programs.has(program))?.[1];
  return (
    TAKES_COMMAND.has(program) && entry.length > 1 && (verbs?.test(entry[entry.length - 1] ?? "") ?? false)
  );
}

/** As runsGiven, and also where one of the further words is such a program, or an option hands code over. */
export function mayRunAnything(words: readonly string[]): boolean {
  if (runsGiven(words) !== undefined) return true;
  const [first = "", ...rest] = words;
  if (programOf(first) === "git" && rest.some((word) => /^(?:-c|--config|--template)(?:=|$)/.test(word)))
    return true;
  if (/^(?:make|gmake|nmake|bmake|mingw32-make)$/.test(programOf(first)))
    return rest.some((word) => /^-[A-Za-z]*[fCEI]|^--(?:f|m|ev|d|in)|=/.test(word));
  if (/^(?:mvn|gradle|gradlew|ant|sbt)$/.test(programOf(first)))
    return rest.some((word) => /^-[IbfcD]|^--(?:init|build|settings)|^exec:/.test(word));
  return rest.some((word, i) => {
    if (
      /^-{1,2}(?:exec|execdir|ok|okdir|eval|command|exec-batch|to-command|checkpoint-action|upload-pack|receive-pack|use-compress-program|rsh|compress-program|pre|extcmd|toolexec|vettool|script-shell|node-options)(?:=|$)/.test(
        word,
      )
    )
      return true;
    return (i > 0 || /[\\/]/.test(word)) && PLAIN_PROGRAM.test(programOf(word));
  });
}
