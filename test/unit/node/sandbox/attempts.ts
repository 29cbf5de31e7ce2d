/**
 * Ways out of the sandbox, by kind. Each is a command line for sh, run in the project's folder in the profile "work". $HOME is a home
 * folder with secrets; $OUTSIDE a folder beside the project; $DATA the product's data folder, with a plugin; $PORT, $SOCKET and
 * $ABSTRACT are where a program outside listens; $VICTIM is a process outside whose environment holds a secret.
 */
export type Attempts = Readonly<Record<string, string>>;

/** Whatever the attempt prints, and whether it fails, is its own matter. */
const perl = (code: string) => `perl -e '${code}'`;

export const reading: Attempts = {
  "a secret by its path": `cat "$HOME/.ssh/id_rsa"`,
  "a secret through a link": `ln -s "$HOME/.aws/credentials" notes; cat notes`,
  "a secret through a link of a folder": `ln -s "$HOME" up; cat up/.ssh/id_rsa`,
  "a secret through a relative link": `ln -s ../home/.netrc n; cat n`,
  "a secret by a hard link": `ln "$HOME/.netrc" copy; cat copy`,
  "a secret by a copy of the folder": `cp -r "$HOME/.ssh" .; cat .ssh/id_rsa`,
  "a secret by a move": `mv "$HOME/.ssh" .; cat .ssh/id_rsa`,
  "a secret in an archive": `tar cf - "$HOME/.ssh" | strings`,
  "a secret after its mode was changed": `chmod -R a+rwx "$HOME/.ssh"; cat "$HOME/.ssh/id_rsa"`,
  "a secret after a change of the owner": `chown -R "$(id -u)" "$HOME/.aws"; cat "$HOME/.aws/credentials"`,
  "what git stored of addresses": `cat "$HOME/.git-credentials"`,
  "a secret that a link in the home folder leads to": `cat "$HOME/.azure/token" ../kept/azure/token`,
  "a token of a program": `cat "$HOME/.config/gh/hosts.yml"`,
  "a browser's profile": `cat "$HOME/.mozilla/cookies"`,
  "a list of what a secret folder holds": `find "$HOME/.ssh" "$HOME/.mozilla" -type f`,
  "the history of a shell": `cat "$HOME/.bash_history"`,
  "what the product itself stored": `cat "$DATA/sessions/a.sqlite"; find "$DATA" -type f -exec cat {} +`,
  "what is beside the plugins": `cat "$DATA"/plugins/*.json "$DATA"/plugins/data/*/*`,
  "what is above a plugin": `cd "$DATA/plugins/installed/cat-1"; cat ../../plugins.json ../../../sessions/*`,
  "what the product stored, by taking away what covers it": `umount "$DATA"; umount -l "$DATA"; cat "$DATA"/sessions/*`,
  "what the product stored, by a link in a plugin": `ln -s ../../data/cat/token "$DATA/plugins/installed/cat-1/t"; cat "$DATA/plugins/installed/cat-1/t"`,
  "the project's .env": `cat .env`,
  "the project's .env in a folder": `cat packages/app/.env.local`,
  "the project's .env by a link": `ln -s .env e; cat e`,
  "the project's .env by a hard link": `ln .env e; cat e`,
  "the project's .env after a move": `mv .env e; cat e`,
  "the .env of a folder that was renamed": `mv packages/app packages/other; cat packages/other/.env.local`,
  "the .env by a copy": `cp -r packages copied; cat copied/app/.env.local`,
  "the .env by a reading of every file": `grep -r . . 2>/dev/null; cat .[!.]* 2>/dev/null`,
  "the .env by its file handle": perl(
    `open my $f, "<", ".env" and print <$f>; sysopen my $g, ".env", 0x200000 and print <$g>`,
  ),
  "the .env by a mount of the folder": `mkdir m; mount --bind . m; cat m/.env`,
  "the .env by taking away what covers it": `umount .env; cat .env`,
  "the .env by taking it away lazily": `umount -l "$PWD/.env"; cat .env`,
  "the .env in a namespace of its own": `unshare -Urm sh -c 'umount -l .env; cat .env'`,
  "a secret in a namespace of its own": `unshare -Urm sh -c 'umount -l "$HOME/.ssh"; cat "$HOME/.ssh/id_rsa"'`,
  "a secret in a sandbox of its own": `bwrap --bind / / sh -c 'umount "$HOME/.ssh"; cat "$HOME/.ssh/id_rsa"'`,
  "a secret by another root": `unshare -Ur chroot / cat "$HOME/.ssh/id_rsa"`,
  "a secret through the first process": `cat "/proc/1/root$HOME/.ssh/id_rsa"`,
  "a secret through the own process": `cat "/proc/self/root$HOME/.ssh/id_rsa" "/proc/thread-self/root$PWD/.env"`,
  "a secret through the working folder of another process": `cat /proc/[0-9]*/cwd/.env`,
  "the environment of a process outside": `cat "/proc/$VICTIM/environ"; cat /proc/[0-9]*/environ`,
  "the command lines of processes outside": `cat /proc/[0-9]*/cmdline | tr '\\0' ' '`,
  "the memory of a process outside": `cat "/proc/$VICTIM/mem"`,
  "the open files of a process outside": `for file in /proc/$VICTIM/fd/* /proc/[0-9]*/fd/*; do timeout 0.1 head -c 100 "$file"; done`,
  "the own environment": "env; export -p; cat /proc/self/environ",
  "the environment of what started the command": "cat /proc/$PPID/environ /proc/1/environ",
  "inherited files": "ls -l /proc/self/fd/; for i in 3 4 5 6 7 8 9; do cat <&$i; done",
  "the memory of the machine": "cat /dev/mem /dev/kmem /proc/kcore | head -c 100",
  "the messages of the kernel": "dmesg; cat /dev/kmsg /proc/kmsg",
  "a disk": "cat /dev/vda /dev/sda /dev/nvme0n1 | head -c 100000000 | strings",
  "a disk by a device of its own": "mknod disk b 254 0; cat disk | head -c 1000000 | strings",
  "what other users have": "cat /home/*/.ssh/* /root/.ssh/* 2>&1",
  "passwords of the system": "cat /etc/shadow /etc/gshadow",
  "by a program with more rights": `su -c 'cat "$HOME/.ssh/id_rsa"'; sudo -n cat "$HOME/.ssh/id_rsa"; pkexec cat "$HOME/.ssh/id_rsa"`,
  "by a program that is given more rights": `cp "$(command -v cat)" c; chmod u+s c; ./c "$HOME/.ssh/id_rsa"`,
  "by rights of its own": `setpriv --ambient-caps +all cat "$HOME/.ssh/id_rsa"; capsh --caps=all+eip -- -c 'cat "$HOME/.ssh/id_rsa"'`,
  "by a file handle of the kernel": perl(
    `my $h = pack("Ii", 128, 0) . "\\0" x 128; my $m = pack("i", 0); print syscall(303, -100, "$ENV{HOME}/.ssh/id_rsa", $h, $m, 0), "\\n"; print syscall(304, -100, $h, 0), "\\n"`,
  ),
  "by git in a folder that it was sent to": `git --git-dir=/dev/null diff --no-index /dev/null "$HOME/.ssh/id_rsa"`,
  "by git's object store": `git hash-object -w "$HOME/.netrc" && git cat-file -p "$(git hash-object "$HOME/.netrc")"`,
  "in the temporary files of others": "cat /tmp/*canary* /var/tmp/*canary* /dev/shm/*",
};

export const writing: Attempts = {
  "in a plugin": `echo x >> "$DATA/plugins/installed/cat-1/run.sh"; echo x > "$DATA/plugins/installed/cat-1/new"`,
  "beside the plugins": `echo x > "$DATA/plugins/plugins.json"; mkdir -p "$DATA/plugins/installed/dog" "$DATA/new"; rm -rf "$DATA"`,
  "in a plugin after a remount": `mount -o remount,rw "$DATA"; mount -o remount,bind,rw "$DATA/plugins/installed"; echo x >> "$DATA/plugins/installed/cat-1/run.sh"`,
  "outside by a path": `echo x > "$OUTSIDE/file"`,
  "outside by a link": `ln -s "$OUTSIDE" out; echo x > out/file`,
  "outside by a link of a file": `ln -s "$OUTSIDE/file" out; echo x > out`,
  "outside by a hard link": `ln "$OUTSIDE/file" out && echo x > out`,
  "outside by a rename": `echo x > new; mv new "$OUTSIDE/file"`,
  "outside by deleting": `rm -rf "$OUTSIDE"/* "$HOME"/* "$HOME/.bashrc"`,
  "the folder above": `echo x > ../file; mkdir ../folder`,
  "the project's folder itself": `mv "$PWD" "$PWD-old"; rmdir "$PWD"`,
  "outside by a mount": `mkdir m; mount --bind "$OUTSIDE" m; echo x > m/file`,
  "outside by mounting it writable": `mount -o remount,rw /; mount -o remount,rw,bind "$OUTSIDE"; echo x > "$OUTSIDE/file"`,
  "outside by mounting it writable in a namespace of its own": `unshare -Urm sh -c 'mount -o remount,rw /; mount -o remount,rw,bind /; echo x > "$OUTSIDE/file"'`,
  "outside by the new mount calls": perl(
    `my $fd = syscall(428, -100, "$ENV{OUTSIDE}", 1); print "tree $fd\\n"; print syscall(442, $fd, "", 0x1000, pack("QQQQ", 0, 1, 0, 0), 32), "\\n"; print syscall(429, $fd, "", -100, "m", 4), "\\n"`,
  ),
  "outside by another root": `unshare -Urm sh -c 'mkdir -p old; pivot_root . old; echo x > "old$OUTSIDE/file"'`,
  "outside through the first process": `echo x > "/proc/1/root$OUTSIDE/file"`,
  "outside through the folder of a process": `echo x > "/proc/$VICTIM/cwd/file"; echo x > "/proc/$PPID/cwd/../outside/file"`,
  "outside by a loop device": `truncate -s 1M disk; losetup -f disk; mount disk "$OUTSIDE"`,
  "a start-up file": `echo x >> "$HOME/.bashrc"; echo x > "$HOME/.profile"; echo x > "$HOME/.zshenv"`,
  "the settings of git": `git config --global core.hooksPath /tmp; echo x >> "$HOME/.gitconfig"`,
  "what starts with the session": `mkdir -p "$HOME/.config/autostart"; echo x > "$HOME/.config/autostart/a.desktop"; mkdir -p "$HOME/.config/systemd/user"`,
  "programs of the user": `mkdir -p "$HOME/.local/bin"; echo x > "$HOME/.local/bin/git"; mkdir -p "$HOME/bin"`,
  "a package manager's cache": `mkdir -p "$HOME/.npm/_cacache"; echo x > "$HOME/.npm/_cacache/x"; mkdir -p "$HOME/.cache/pip"; echo x > "$HOME/.cache/pip/x"`,
  timetables: `echo '* * * * * touch "$OUTSIDE/cron"' | crontab -; echo 'touch "$OUTSIDE/at"' | at now; echo x > /var/spool/cron/crontabs/root; echo x > /etc/cron.d/x`,
  "the system's settings":
    "echo x >> /etc/profile; echo x > /etc/profile.d/x.sh; echo x > /etc/ld.so.preload",
  "the kernel's settings":
    "echo x > /proc/sys/kernel/core_pattern; echo 0 > /proc/sys/kernel/randomize_va_space; sysctl -w kernel.core_pattern=x",
  "the kernel's helper programs":
    "echo x > /proc/sys/kernel/modprobe; echo x > /sys/kernel/uevent_helper; echo x > /proc/sys/fs/binfmt_misc/register",
  "a control group that starts a program": `mkdir c; mount -t cgroup2 none c; echo x > /sys/fs/cgroup/release_agent; echo $$ > /sys/fs/cgroup/cgroup.procs`,
  "a hook": "echo x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
  "a hook by replacing the folder":
    "rm -rf .git/hooks; mv .git/hooks .git/old; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
  "a hook by replacing the repository": "mv .git old; cp -r old .git; echo x > .git/hooks/pre-commit",
  "a hook by a link in its place":
    "mkdir mine; ln -sfn ../mine .git/hooks; rm -rf .git/hooks && ln -s ../mine .git/hooks",
  "a hook by git":
    "git init --template=/tmp .; git config core.hooksPath mine; git config --local core.fsmonitor ./run",
  "git's settings by an editor":
    "printf '[core]\\n\\tfsmonitor = ./run\\n' >> .git/config; sed -i s/a/b/ .git/config",
  "git's settings by replacing the file":
    "cp .git/config c; echo x >> c; mv c .git/config; mv -f c .git/config",
  "git's settings by a rename of git's own":
    "git remote add x /tmp; git config user.name x; git submodule init; git branch --set-upstream-to=x",
  "git's settings of a worktree":
    "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor ./run; git worktree add ../tree",
  "another folder for what git's worktrees share": `mkdir mine; cp -r .git/. mine; printf '[core]\\n\\tfsmonitor = ./run\\n' >> mine/config; echo ../mine > .git/commondir; rm -f .git/commondir; mv mine/config .git/commondir`,
  "another repository in its place": `GIT_DIR=.git git init -q --bare . ; rm -rf .git; git init -q; git clone -q . .git`,
  "the editor's settings": "echo x > .vscode/settings.json; echo x > .vscode/tasks.json",
  "the editor's settings by a rename": "mv .vscode old; mkdir .vscode; echo x > .vscode/settings.json",
  "the editor's settings by a rename over them":
    "mkdir new; echo x > new/settings.json; mv -T new .vscode; mv --exchange new .vscode",
  "the editor's settings by deleting": "rm -rf .vscode",
  "the editor's settings by a hard link": "ln .vscode/settings.json s && echo x > s",
  "the editor's settings by a mount over them":
    "mkdir new; echo x > new/settings.json; mount --bind new .vscode",
  "the editor's settings in a namespace of its own":
    "unshare -Urm sh -c 'umount -l .vscode; echo x > .vscode/settings.json'",
  "the editor's settings with a file that is already open": `${perl(`open my $f, ">>", ".vscode/settings.json" and print $f "x"`)}; exec 9>>.vscode/settings.json; echo x >&9`,
  "the editor's settings by their mode":
    "chmod a+w .vscode .vscode/settings.json; chattr -i .vscode; echo x > .vscode/settings.json",
  "another editor's settings, which are not there":
    "mkdir .idea; echo x > .idea/workspace.xml; ln -s mine .idea",
  "our own settings, which are not there":
    "mkdir -p .nekode/rules; echo x > .nekode/rules/a.md; mv packages .nekode",
  "what agents read": "echo x >> AGENTS.md; echo x > CLAUDE.md.new; mv CLAUDE.md.new AGENTS.md; rm AGENTS.md",
  "the definition of a service": "echo x > .github/workflows/ci.yml; rm -rf .github; mv .github old",
  "the servers of the project": "echo x > .mcp.json; sed -i s/a/b/ .mcp.json; rm -f .mcp.json",
  "by a program that stays": `(sleep 0.05; echo x > "$OUTSIDE/late"; echo x > .vscode/settings.json) & `,
  "by a program that leaves its group": `setsid -f sh -c 'sleep 0.05; echo x > "$OUTSIDE/late"; echo x > .git/hooks/late'`,
  "by a signal": "kill -9 $VICTIM; kill -9 -1; kill -TERM $PPID",
  "by a debugger": perl(`print syscall(101, 16, $ENV{VICTIM}, 0, 0), "\\n"`),
  "by the memory of another process": perl(
    `my $b = "x" x 8; my $l = pack("PQ", $b, 8); print syscall(311, $ENV{VICTIM}, $l, 1, $l, 1, 0), "\\n"`,
  ),
  "by a file descriptor of another process": perl(
    `my $p = syscall(434, $ENV{VICTIM}, 0); print "$p ", syscall(438, $p, 1, 0), "\\n"`,
  ),
  "by typing into the terminal": perl(
    `for my $t ("/dev/tty", "/dev/pts/0", "/proc/self/fd/0") { open my $f, "+<", $t or next; ioctl($f, 0x5412, $_) for split //, "touch typed\\n" }`,
  ),
  "by entering the namespaces of another process": `nsenter -t "$VICTIM" -a sh -c 'echo x > "$OUTSIDE/file"'; nsenter -t 1 -m sh -c 'echo x > "$OUTSIDE/file"'`,
  "by keys of the kernel": "keyctl add user canary x @u; keyctl show @u",
  "by a module of the kernel": "insmod x.ko; modprobe loop; echo x > /sys/module/loop/parameters/max_loop",
};

/** To programs outside, by ways that stay closed to a command with network. */
export const connecting: Attempts = {
  "to a socket": `curl -s -m 1 --unix-socket "$SOCKET" http://x/; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer=>$ENV{SOCKET})'`,
  "to a socket by a link": `ln -s "$SOCKET" s; curl -s -m 1 --unix-socket s http://x/`,
  "to a socket by a folder of a process": `curl -s -m 1 --unix-socket "/proc/1/root$SOCKET" http://x/`,
  "to a socket after a rename": `mv "$SOCKET" s; curl -s -m 1 --unix-socket s http://x/`,
  // Some versions of Node fill the name with zeros up to its longest.
  "to a socket with a name of the kernel's": perl(
    `use Socket; for my $form ("S a*", "S a108") { socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, pack($form, AF_UNIX, "\\0$ENV{ABSTRACT}")) and print "connected\\n" }`,
  ),
  "to the socket of the agent of keys": `SSH_AUTH_SOCK="$SOCKET" ssh-add -l; ssh-add -l`,
  "to containers": `docker -H "unix://$SOCKET" ps; DOCKER_HOST="unix:///var/run/docker.sock" docker ps; podman --remote ps`,
  "to the system's bus":
    "dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames; busctl list; systemd-run --user true; systemd-run true",
  "to the screen": "DISPLAY=:0 xdotool key a; DISPLAY=:0 xterm -e true; WAYLAND_DISPLAY=wayland-0 wl-copy x",
  "to a terminal that is shared": "tmux ls; screen -ls; tmux new -d 'touch typed'",
  "in the network of another process": `nsenter -t "$VICTIM" -n curl -s -m 1 "http://127.0.0.1:$PORT/"; ip netns list; unshare -Urn curl -s -m 1 "http://127.0.0.1:$PORT/"`,
  "by raw packets": perl(
    `use Socket; socket(my $s, AF_INET, SOCK_RAW, 1) and print "raw\\n"; socket(my $p, 17, SOCK_RAW, 768) and print "packet\\n"`,
  ),
  "to the host of this machine": perl(
    `for (41, 198) { my $s = syscall($_, 40, 1, 0); print "socket $s\n" if $s >= 0 && readlink("/proc/self/fd/$s") =~ /socket/ }`,
  ),
};

/** To the network, and by it to ports of this machine. */
export const networking: Attempts = {
  "to a port of this machine": `exec 3<>/dev/tcp/127.0.0.1/$PORT; curl -s -m 1 "http://127.0.0.1:$PORT/"; perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr=>"127.0.0.1:$ENV{PORT}",Timeout=>1)'`,
  "to a port by the machine's name": `curl -s -m 1 "http://localhost:$PORT/" "http://[::1]:$PORT/" "http://$(hostname):$PORT/"`,
  "to the network":
    "curl -s -m 1 http://192.0.2.1/; wget -q -T 1 -O - http://example.com/; git ls-remote https://example.com/x; ping -c 1 -W 1 192.0.2.1",
  "with an address of its own": `ip link set lo up; ip addr add 10.0.0.1/8 dev lo; ip route add default dev lo; curl -s -m 1 "http://127.0.0.1:$PORT/"`,
  "by git through a hook of its own": `git -c core.sshCommand="curl -s -m 1 http://127.0.0.1:$PORT/" fetch ssh://x/y; git -c protocol.ext.allow=always clone "ext::curl -s -m 1 http://127.0.0.1:$PORT/" x`,
  "by git's monitor of files": `git -c core.fsmonitor="curl -s -m 1 http://127.0.0.1:$PORT/; cat $HOME/.ssh/id_rsa >&2; false" status`,
  "by what a build runs": `printf 'all:\\n\\tcurl -s -m 1 http://127.0.0.1:%s/; cat %s/.ssh/id_rsa\\n' "$PORT" "$HOME" > m.mk; make -f m.mk`,
};
