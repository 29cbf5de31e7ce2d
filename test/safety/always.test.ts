/** "Always allow this": what may be stored, and what a stored entry then lets through. */
import { describe, expect, it } from "vitest";
import type { ShellKind } from "../../src/core/ports/shell.ts";
import { approvalPrefix } from "../../src/core/safety/commands/approval-prefix.ts";
import { judgeCommand } from "./judge.ts";

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Interpreters, wrappers and whatever runs what it is given, as a user might be led to allow them for ever. */
const NEVER: Partial<Record<ShellKind, string[]>> = {
  bash: lines(`
    python3 x.py
    python3.11 x.py
    python3.11 -c 1
    Python3 -c 1
    pypy3.10 x
    python-3.12 x
    /usr/bin/python3.11 x
    ./venv/bin/python x
    ../venv/bin/python3 x
    node x.js
    node18 x.js
    node-22 -e 1
    nodejs x
    ./node_modules/.bin/tsx x.ts
    ./node_modules/.bin/ts-node x.ts
    tsx x.ts
    vite-node x.ts
    deno eval 1
    deno run x.ts
    bun -e 1
    bun x tsx
    bunx x
    php -r 1
    php8.2 x.php
    php artisan tinker
    perl -e 1
    perl5.36 x
    ruby -e 1
    ruby3.2 x
    lua5.4 x
    osascript -e x
    osascript x.scpt
    Rscript x.R
    julia x.jl
    java X.java
    java -jar x.jar
    groovy x
    tclsh8.6 x
    bash x.sh
    bash-5.2 x.sh
    sh x
    zsh -c x
    fish -c x
    dash x
    ksh93 x
    nu x
    pwsh x.ps1
    powershell -c x
    powershell.exe -Command x
    cmd /c dir
    cmd.exe /c dir
    busybox sh
    busybox rm x
    toybox sh
    env python3 x
    env A=1 ls
    sudo ls
    doas ls
    su -c ls
    nice ls
    nohup ls
    timeout 5 ls
    time ls
    stdbuf -o0 ls
    setsid ls
    xargs ls
    parallel ls
    watch ls
    ssh host ls
    ssh host
    npx tsx -e 1
    npx prettier x
    uvx x
    pipx run x
    vim -c x
    vi x
    ed x
    emacs --batch -l x
    sqlite3 x.db .shell
    psql -c x
    mysql -e x
    redis-cli eval x
    mongosh --eval x
    gdb -ex x
    lldb x
    at now
    crontab x
    chroot / ls
    unshare ls
    nsenter ls
    flock x ls
    script -c ls
    strace ls
    entr ls
    expect x
    command ls
    builtin eval x
    eval x
    exec x
    source x.sh
    . x.sh
    trap x EXIT
    alias a=b
    ls && pwd
    ls; rm x
    ls | sh
    ls &
    ls > x
    ls < x
    ls $(x)
    ls $HOME
    ls *
    ls ~
    ls {a,b}
    A=1 ls
    !ls
    ( ls )
    { ls; }
    if x
    [[ -f x ]]
    xx=1
  `),
  powershell: lines(`
    powershell -c x
    pwsh x.ps1
    cmd /c dir
    python x.py
    node x.js
    iex x
    Invoke-Expression x
    Start-Process x
    Invoke-Command x
    & x
    gci | gc
    gci; ls
    gci $x
    gci "x"
  `),
  cmd: lines(`
    cmd /c dir
    powershell -c x
    python x.py
    start x & y
    dir & del x
    dir %X%
    wscript x.vbs
    mshta x
  `),
};

/** Commands of which the words may be stored, and what the entry must not cover then. */
const STORED: [command: string, entry: string, notCovered: string[]][] = [
  [
    "npm test",
    "npm test",
    ["npm test --prefix /x", "npm test -- --globalSetup ./x", "npm testx", "npm install"],
  ],
  ["npm run build", "npm run build", ["npm run build:evil", "npm run", "npm run other"]],
  ["make deploy", "make deploy", ["make", "make deploy all", "make -f x deploy", "make deploy SHELL=x"]],
  [
    "git commit -m 'a b'",
    "git commit -m 'a b'",
    ["git commit -m x", "git commit -m 'a b' --no-verify", "git commit"],
  ],
  [
    "git push origin main",
    "git push origin main",
    ["git push origin main --force", "git push origin other", "git push origin +main"],
  ],
  ["touch a.txt", "touch a.txt", ["touch a.txt .git/hooks/pre-commit", "touch b.txt", "touch"]],
  [
    "cp a.txt out/",
    "cp a.txt out/",
    ["cp a.txt out/ .git/hooks", "cp -t .git/hooks a.txt out/", "cp b.txt out/"],
  ],
  [
    "terraform apply plan.out",
    "terraform apply plan.out",
    ["terraform apply plan.out x", "terraform apply", "terraform destroy"],
  ],
  ["docker build -t x .", "docker build -t x .", ["docker build -t y .", "docker build ."]],
  ["npm run build 2>&1 | tail -20", "npm run build", ["npm run build | sh", "npm run build | tee x"]],
  ["git push | cat .env", "git push", ["git push | cat .env"]],
  ["docker ps", "docker ps", ["docker ps; docker rm x", "docker psx", "docker rm x"]],
  ["gh pr view 12", "gh pr view 12", ["gh pr view 13", "gh pr view 12 --web"]],
  ["cargo test", "cargo test", ["cargo test --config x", "cargo run"]],
  ["ls -la", "ls -la", ["ls", "lsx -la"]],
  ["echo 'a;b'", "echo 'a;b'", ["echo a;b"]],
  ["sed -i s/a/b/ f.txt", "sed -i s/a/b/ f.txt", ["sed -i s/a/b/ f.txt g.txt", "sed -i s/a/c/ f.txt"]],
  ["find . -name x -delete", "find . -name x -delete", ["find / -name x -delete", "find . -delete"]],
];

describe("always allow this", () => {
  it("stores no interpreter, and nothing that runs what it is given", () => {
    for (const [shell, commands] of Object.entries(NEVER) as [ShellKind, string[]][]) {
      const stored = commands.filter((command) => approvalPrefix(command, shell) !== undefined);
      expect(stored, shell).toEqual([]);
    }
  });

  it("stores the words that were seen, and they cover nothing else", async () => {
    for (const [command, entry, notCovered] of STORED) {
      expect(approvalPrefix(command, "bash") ?? "", command).toBe(entry);
      if (entry === "") continue;
      const verdict = async (asked: string) =>
        (await judgeCommand(asked, { shell: "bash", allow: [entry, "tail", "cat"], deny: [] })).verdict;
      if (!notCovered.includes(command)) expect(await verdict(command), command).toBe("allow");
      for (const other of notCovered) expect(await verdict(other), `${other} under ${entry}`).toBe("ask");
    }
  });

  it("an entry that leaves open what is run covers nothing more than itself", async () => {
    for (const [entry, command] of [
      ["docker exec", "docker exec web rm -rf /"],
      ["go run", "go run x.go"],
      ["python3.11", "python3.11 x.py"],
      ["tclsh8.6", "tclsh8.6 x"],
      ["java", "java -jar x.jar"],
    ] as const) {
      const judged = await judgeCommand(command, { shell: "bash", allow: [entry], deny: [] });
      expect(judged.verdict, command).toBe("ask");
    }
  });
});
