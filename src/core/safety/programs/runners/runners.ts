/** Programs that run their arguments as code or as a command: an allow entry covers them only exactly as written. */

// Names by kind. A test ensures that none is listed twice.

const nameSet = (list: string): ReadonlySet<string> =>
  new Set(list.split(/\s+/).filter((name) => name !== ""));

/** Programs that run text as code, or open an editor that does. */
export const INTERPRETERS = nameSet(`
  sh bash zsh dash ash ksh mksh oksh pdksh yash csh tcsh fish xonsh elvish nu nushell rc es ion pwsh powershell cmd command.com rbash rksh rzsh posh hush execlineb nosh
  python pythonw py pypy ipython bpython ptpython ptipython jython micropython circuitpython hy node nodejs iojs deno bun tsx ts-node ts-node-esm ts-node-script ts-node-cwd
  vite-node jiti esr esno babel-node swc-node sucrase-node coffee zx electron qjs d8 jsc hermes rhino nashorn jjs jrunscript shjs shx
  ruby irb jruby rbx mruby mirb perl raku php php-cgi phpdbg psysh hhvm lua luajit luau luvit lune fennel tclsh wish jimsh expect autoexpect runtest osascript jxa rscript r littler julia octave octave-cli
  matlab scilab gnuplot maxima sage gap gp magma idl gdl root guile racket gracket sbcl clisp ecl abcl ccl ros chicken csi scheme gsi gosh petite kawa mit-scheme newlisp picolisp janet ghci runghc runhaskell hugs stack ocaml ocamlrun
  utop sml mosml poly fsi dotnet-script csharp csi.exe groovy groovysh jshell java javaw javaws jdb jbang scala scala-cli amm kotlin kotlinc clojure clj bb joker planck lumo lein boot
  elixir erl escript mix swift swiftc dart crystal nim nimble v zig tcc cling rust-script evcxr irust gomacro yaegi gorun rdmd gforth pforth swipl gprolog yap m4 dc pike rexx regina snobol4 gst io neko hl haxe
  wasmtime wasmer wasm3 wasmedge mono wine wine64 jupyter papermill streamlit
  ed ex vi view vim vimdiff rvim rview gview gvim gvimdiff nvim evim vimtutor emacs emacsclient nano pico joe jed jove zile mg ne micro kak hx helix vile mcedit mc editor sensible-editor select-editor vipe vidir sudoedit vipw vigr visudo
  sqlite3 sqlite psql mysql mariadb duckdb isql mongo mongosh redis-cli valkey-cli sqlplus sqlcmd osql cqlsh clickhouse-client usql litecli pgcli mycli
  wscript cscript mshta rundll32 regsvr32 regasm regsvcs cmstp msiexec forfiles schtasks wmic psexec winrs runas pcalua conhost msbuild installutil
  gdb lldb cgdb pdb pudb ipdb bpftrace stap nc ncat netcat socat telnet ftp sftp lftp tmux tmate screen byobu zellij dtach abduco at batch crontab make.exe rlwrap mailx
`);

/** Programs that run the words after them as a command, or what those words name. */
export const RUNNERS = nameSet(`
  sudo sudo-rs doas su env xargs parallel env_parallel sem niceload nohup nice ionice chrt taskset timeout gtimeout time gtime stdbuf gstdbuf genv gnice gnohup setsid setarch linux32 linux64 i386 x86_64 uname26 arm64 caffeinate busybox toybox sbase-box ubase-box coreutils uutils watch
  script scriptlive logsave chroot unshare nsenter firejail bwrap proot fakeroot fakeroot-sysv fakeroot-tcp fakechroot schroot dchroot arch-chroot flock lockf lckdo setlock withlock with-lock-ex ltrace strace dtrace dtruss ktrace truss uftrace valgrind perf rr catchsegv operf gprofng heaptrack callgrind memray
  setpriv capsh prlimit choom numactl cgexec cgclassify systemd-run systemd-inhibit systemd-cat systemd-socket-activate systemd-nspawn systemd-ask-password run0 pkexec runuser gosu su-exec setuser sg newgrp pfexec dzdo kdesu gksu gksudo beesu machinectl
  ssh-agent ssh mosh autossh rsh slogin plink dbclient sshpass sshfs pssh parallel-ssh pdsh cssh dsh torsocks torify proxychains proxychains3 proxychains4 tsocks socksify   run-parts run-one run-this-one keep-one-running run-mailcap xvfb-run xinit startx dbus-run-session dbus-launch faketime datefudge eatmydata stress-ng nq tsp pueue anacron fcron daemon daemonize start-stop-daemon
  chpst softlimit envdir envuidgid setuidgid pgrphack fghack pidproxy argv0 multilog svlogd supervise svscan runsv runsvdir runit tcpserver tcpclient recordio tini dumb-init catatonit s6-setsid cpulimit cputool timelimit alarm chronic ifne pee mispipe cronic zrun
  wsl npx bunx pnpx uvx pipx npm-run unbuffer entr nodemon watchexec watchmedo onchange chokidar when-changed fswatch reflex modd air guard rerun supervisor pm2 forever concurrently cross-env cross-env-shell dotenv dotenvx env-cmd envchain chamber aws-vault doppler infisical teller consul envconsul
  npm-run-all npm-run-all2 run-s run-p wireit direnv mise asdf rtx pyenv rbenv nodenv phpenv goenv jenv nvm fnm volta nvs rustup proto hermit devcontainer foreman overmind hivemind honcho goreman ptyxis xterm uxterm urxvt rxvt alacritty kitty wezterm foot st
  gnome-terminal konsole terminator tilix xfce4-terminal x-terminal-emulator openvt asciinema ttyrec vhs winpty xdg-open gio gtk-launch exo-open kde-open dex open launchctl xcrun xctrace instruments
  nyc c8 kernprof pyinstrument py-spy scalene viztracer austin mprof hyperfine multitime ldd distrobox toolbox apptainer singularity enroot ch-run udocker nsjail minijail0 rootlesskit runc crun mpirun mpiexec srun sbatch torchrun accelerate
  git-shell rpmbuild debuild pbuilder makepkg dpkg-buildpackage start-process invoke-expression iex invoke-command icm start-job start
`);

const names = (list: string) => new Set(list.split(/\s+/).filter((name) => name !== ""));

/** Programs that run the words after one of these subcommands. */
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
  [names("coverage python-coverage"), /^(?:run|debug)$/],
  [names("composer"), /^(?:exec|run|run-script|global)$/],
  [names("cabal opam dune esy spago bazel bazelisk buck2 pants"), /^(?:run|exec|repl|utop|shell)$/],
  [names("buildah ctr crictl nomad"), /^(?:run|exec|task|bud|build|alloc)$/],
  [
    names("sops op etcdctl vault infisical tsh"),
    /^(?:exec-env|exec-file|exec-watch|edit|run|lock|agent|ssh|exec)$/,
  ],
  [names("ansible ansible-console salt salt-call salt-ssh knife"), /./],
  [names("wp drush symfony"), /^(?:eval|eval-file|shell|php.*|ev|scr|sql.*|run|console|package|cli)$/],
  [names("brew gem"), /^(?:exec|sh|ruby|irb)$/],
  [names("rpm"), /^(?:-E|--eval|--define|-D)/],
  [names("cmake"), /^(?:-E|-P)/],
  [names("fd fdfind"), /^(?:-[A-Za-z]*[xX]|--exec.*)$/],
  [names("rsync scp"), /^(?:-[A-Za-z]*[eS]|--rsh.*|-o.*)$/],
  [names("arch jobs"), /./],
  [names("ip"), /^exec$/],
  [names("openssl"), /^(?:engine|provider)$/],
  [
    names("git"),
    /^(?:bisect|filter-branch|difftool|mergetool|submodule|daemon|instaweb|config|remote-.*|upload-pack|receive-pack|shell|http-backend|p4|svn|send-email|sh-.*|for-each-repo|maintenance|hook|var|help)$/,
  ],
];

/** git's own subcommands. Any other may be an alias, whose meaning can change. */
const GIT = names(`
  add am annotate apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone commit
  count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep init log ls-files ls-remote
  ls-tree merge merge-base mv name-rev notes prune pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert
  rm shortlog show show-branch show-ref sparse-checkout stash status switch tag update-index verify-commit verify-tag version
  whatchanged worktree
`);

/** Families of such programs: git's own programs, program loaders, emulators, service supervision. */
const RUNNER_FAMILY =
  /^(?:git-.+|ld\.so.*|ld-.*\.so.*|ld-(?:linux|musl).*|qemu-(?!img$|io$|nbd$).+|s6-.+|box(?:64|86))$/;

const isRunner = (program: string) => RUNNERS.has(program) || RUNNER_FAMILY.test(program);

/** Normalizes a program name: `/usr/bin/Python3.11.exe` is python. */
export function programOf(word: string): string {
  const file = word.replace(/^.*[\\/]/s, "").toLowerCase();
  if (INTERPRETERS.has(file)) return file;
  const name = file.replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");
  const plain = name.replace(/[-_]?\d[\d.]*[a-z]?$/, "");
  return INTERPRETERS.has(name) || isRunner(name) || plain === "" ? name : plain;
}

/** Whether a program runs text as code. An allow entry for such a program counts only if it names the script. */
export function isInterpreter(word: string): boolean {
  return INTERPRETERS.has(programOf(word));
}

/** Names that, as a later word of a command, refer to the program itself. */
const PLAIN_PROGRAM =
  /^(?:ba|z|da|k|fi|c|tc)?sh$|^(?:pwsh|powershell|cmd|python|pypy|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|osascript|busybox|env|sudo|xargs|npx|ssh)$/;

/**
 * Returns which of these words makes the command one that runs its arguments; otherwise undefined. `words` are without
 * expansions.
 */
export function runsGiven(words: readonly string[]): string | undefined {
  const [first = "", ...rest] = words;
  const program = programOf(first);
  if (INTERPRETERS.has(program) || isRunner(program)) return first;
  const verbs = SUBCOMMANDS.find(([programs]) => programs.has(program))?.[1];
  const verb = rest.find((word) => !word.startsWith("-"));
  if (verbs && rest.some((word) => verbs.test(word))) return `${first} ${verb ?? ""}`.trim();
  if (program === "git" && (verb === undefined || !GIT.has(verb))) return `${first} ${verb ?? ""}`.trim();
  return undefined;
}

/**
 * Whether words that are not part of the entry make the command run its arguments. A runner without arguments starts a
 * shell or runs its input.
 */
export function runsBehind(words: readonly string[], entry: readonly string[]): boolean {
  if (isRunner(programOf(words[0] ?? "")))
    return entry.length === 1 || words.slice(1).some((word) => !entry.includes(word));
  const verbs = SUBCOMMANDS.find(([programs]) => programs.has(programOf(words[0] ?? "")))?.[1];
  return words.slice(1).some((word) => verbs?.test(word) && !entry.includes(word));
}

/** Programs whose subcommands above take another program's command. */
const TAKES_COMMAND = names(
  "docker podman nerdctl kubectl oc uv poetry pipenv pdm hatch rye conda mamba bundle go nix flatpak lxc adb vagrant heroku fly gcloud",
);

/** True for an entry such as `docker exec`, which leaves open what is run. */
export function leavesOpen(entry: readonly string[]): boolean {
  const program = programOf(entry[0] ?? "");
  const verbs = SUBCOMMANDS.find(([programs]) => programs.has(program))?.[1];
  return (
    TAKES_COMMAND.has(program) && entry.length > 1 && (verbs?.test(entry[entry.length - 1] ?? "") ?? false)
  );
}

/** Like runsGiven, but also true if a later word is such a program, or an option passes code. */
export function mayRunAnything(words: readonly string[]): boolean {
  if (runsGiven(words) !== undefined) return true;
  const [first = "", ...rest] = words;
  if (programOf(first) === "git" && rest.some((word) => /^(?:-c|--config|--template)(?:=|$)/.test(word)))
    return true;
  if (/^(?:make|gmake|nmake|bmake|mingw32-make)$/.test(programOf(first)))
    return rest.some((word) => /^-[A-Za-z]*[fCEI]|^--(?:f|m|ev|d|in)|=/.test(word));
  if (/^(?:mvn|gradle|gradlew|ant|sbt)$/.test(programOf(first)))
    return rest.some((word) => /^-[IbfcD]|^--(?:init|build|settings)|^exec:/.test(word));
  if (
    /^(?:mocha|tap|ava|jasmine|rspec|rubocop|cucumber|jest|vitest)$/.test(programOf(first)) &&
    rest.includes("-r")
  )
    return true;
  return rest.some((word, i) => {
    if (
      /^-{1,2}(?:exec|execdir|ok|okdir|eval|command|exec-batch|to-command|checkpoint-action|upload-pack|receive-pack|use-compress-program|rsh|compress-program|pre|hostname-bin|extcmd|diff-cmd|editor-cmd|toolexec|vettool|script-shell|node-options|require|preload|loader|experimental-loader|init-hook|load-plugins|plugin|rulesdir|bootstrap|pager|use-askpass|unzip-command)(?:=|$)/.test(
        word,
      )
    )
      return true;
    return (i > 0 || /[\\/]/.test(word)) && PLAIN_PROGRAM.test(programOf(word));
  });
}

/** Extensions of files that are executed directly. */
const SCRIPT =
  /\.(?:sh|bash|zsh|fish|ksh|csh|py|pyw|pyz|rb|pl|php|phar|js|mjs|cjs|jsx|ts|mts|cts|tsx|lua|ps1|psm1|bat|cmd|vbs|wsf|r|jl|tcl|mk|mak|gradle|kts|groovy|exs|scm|clj|applescript|scpt|jar|wasm|run|appimage|ipynb)$/i;

/** Programs that read such a file without running it. */
const CHECKS_SOURCE = names(
  "eslint tsc prettier biome stylelint ruff black isort mypy pyright flake8 pylint rubocop shellcheck shfmt standardrb luacheck stylua phpcs php-cs-fixer jshint oxlint dprint wc",
);

/** Returns which of these words names a script, whose content may change later. */
export function namesScript([name = "", ...rest]: readonly string[]): string | undefined {
  if (/[\\/]/.test(name) && !/^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/[^/]+$/.test(name)) return name;
  if (SCRIPT.test(name)) return name;
  return CHECKS_SOURCE.has(programOf(name)) ? undefined : rest.find((word) => SCRIPT.test(word));
}
