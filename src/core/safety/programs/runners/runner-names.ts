/** Names of programs that run their arguments, by kind. A test ensures that none is listed twice. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((name) => name !== ""));

/** Programs that run text as code, or open an editor that does. */
export const INTERPRETERS = names(`
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
export const RUNNERS = names(`
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
