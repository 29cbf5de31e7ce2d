// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
/** What agents run every day to look around, which must not ask with the built-in list, and what must ask beside it. */
import type { ShellKind } from "../../src/core/ports/shell.ts";

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Alike in bash, zsh, sh and fish. */
const ANY_UNIX = lines(String.raw`
  ls
  ls -la
  ls -la src
  ls -R src
  ls *.md
  ls -d */
  pwd
  cd src && ls
  cd ./src && ls -la
  cd src/lib && cat a.ts
  cd 'my folder' && ls
  cd src && cat ../README.md
  cd src && cd .. && ls
  cd -- src && wc -l util.ts
  cat README.md
  cat src/index.ts src/util.ts
  cat package.json | head -n 20
  cat ./src/../README.md
  head -50 src/index.ts
  head -n 5 src/index.ts
  tail -n 20 log.txt
  tail -50 log.txt
  wc -l src/index.ts
  wc -l src/*.ts
  wc -l src/*/*.ts
  wc -l *.md
  nl -ba src/util.ts
  tac log.txt
  rev log.txt
  cut -d: -f1 log.txt
  cut -c1-80 log.txt
  tr a-z A-Z
  cat log.txt | tr -d '\r' | sort | uniq -c | sort -rn | head
  sort -u log.txt
  sort -t, -k2 -n log.txt
  uniq -c log.txt
  column -t log.txt
  comm -12 log.txt README.md
  cmp src/index.ts src/util.ts
  diff src/index.ts src/util.ts
  diff -u src/index.ts src/util.ts
  grep -n TODO src/index.ts
  grep -rn TODO src
  grep -rn "export function" src --include='*.ts'
  grep -rnE 'foo|bar' src test
  grep -c import src/index.ts
  grep -l main src/*.ts
  grep -A3 -B3 main src/index.ts
  grep -i error log.txt | tail -5
  grep -v '^#' README.md
  egrep -n 'a|b' log.txt
  fgrep -n 'a.b' log.txt
  rg TODO
  rg -n main src
  rg --files
  rg --files -g '*.ts'
  rg -C 3 'class \w+' src
  rg -uu TODO src
  find . -name '*.ts'
  find . -type f -name package.json -not -path './node_modules/*'
  find src -maxdepth 2 -type d
  find . -newer README.md -type f
  find . -size +1M
  sed -n '1,40p' src/index.ts
  sed -n 5p src/index.ts
  sed 's/a/b/g' README.md
  stat package.json
  file README.md
  file -b --mime-type README.md
  du -sh src
  du -h -d 1 .
  df -h
  which node
  which -a python3
  command -v rg
  type ls
  basename src/index.ts .ts
  dirname src/index.ts
  realpath src
  readlink -f src
  tree -L 2
  tree src -I node_modules
  date
  date +%Y-%m-%d
  date -u
  uname -a
  whoami
  hostname
  id
  id -u
  sleep 1
  true
  false
  test -f package.json && echo yes
  test -d src
  echo hello
  echo "a b" 'c d'
  echo done; ls
  printf '%s\n' a b
  od -c README.md
  hexdump -C README.md
  strings README.md
  md5sum README.md
  sha256sum package.json
  paste log.txt README.md
  seq 1 5
  nproc
  uptime
  node --version
  python3 --version
  ls nothing 2>/dev/null
  cat nothing 2>&1 | head -3
  git status
  git status --short
  git status -sb
  git log --oneline -10
  git log -5 --stat
  git log --oneline --graph --decorate --all
  git log --since=2.weeks --author=me --oneline
  git log -1 --format=%H
  git --no-pager log --oneline -5
  git diff --stat
  git diff --name-only
  git diff --name-only HEAD
  git branch
  git branch -a
  git branch -vv
  git branch --show-current
  git branch --list
  git tag
  git tag -l 'v*'
  git remote
  git remote -v
  git rev-parse HEAD
  git rev-parse --show-toplevel
  git rev-parse --abbrev-ref HEAD
  git ls-files
  git ls-files src
  git ls-files --others --exclude-standard
  git ls-tree --name-only HEAD
  git describe --tags --always
  git shortlog -sn
  git stash list
  git merge-base HEAD main
  git blame src/index.ts
  git blame -L 1,5 src/index.ts
  git rev-list --count HEAD
  git show-ref
  git for-each-ref --sort=-committerdate refs/heads
  git count-objects -v
  git --version
`);

const POSIX_ONLY = lines(`
  (cd src && ls)
  { ls; pwd; }
  [ -f package.json ] && echo yes
  [ -d src ] || echo none
  echo $?
  echo "$PWD"
  echo $HOME
  ls "$PWD/src"
  cat "$PWD/README.md"
  cd "$PWD/src" && ls
  ! grep -q TODO README.md
  ls -la | grep ts
`);

export const RUNS: Record<ShellKind, string[]> = {
  bash: [
    ...ANY_UNIX,
    ...POSIX_ONLY,
    "ls src/{index,util}.ts",
    "grep -rn TODO --include=*.ts src",
    "find . -name *.md",
    "cat README.md |\n  head -3",
    "ls \\\n  -la",
  ],
  zsh: [...ANY_UNIX, ...POSIX_ONLY, "ls **/*.ts", "git diff --stat HEAD~1", "git log --oneline HEAD~2..HEAD"],
  sh: [...ANY_UNIX, ...POSIX_ONLY],
  fish: [...ANY_UNIX, "ls src/**.ts", "cd src; and ls"].filter(
    (command) => !/; and|\\w|\\r|\\n/.test(command),
  ),
  powershell: lines(String.raw`
    Get-ChildItem
    Get-ChildItem -Recurse -Filter *.ts
    Get-ChildItem src -File | Select-Object Name, Length
    gci -Recurse -Include '*.ts' | Select-Object -ExpandProperty FullName
    gci src | Sort-Object Length -Descending | Select-Object -First 5
    gci | Where-Object Length -gt 100
    gci | Where-Object { $_.Name -like '*.ts' }
    gci | ForEach-Object { $_.Name }
    gci | Measure-Object
    gci | Group-Object Extension
    gci | Format-Table Name, Length
    gci | Format-List *
    ls
    dir
    pwd
    Get-Location
    Set-Location src
    Set-Location -Path src; Get-ChildItem
    cd src
    cd .\src; ls
    cd src && ls
    Get-Content README.md
    Get-Content README.md -TotalCount 10
    Get-Content log.txt -Tail 5
    Get-Content src/*.ts
    gc package.json | Select-Object -First 5
    cat README.md
    type README.md
    Select-String -Path src/*.ts -Pattern TODO
    Select-String -Path README.md -Pattern 'a.*b'
    sls TODO src/index.ts
    Get-Item package.json
    Test-Path package.json
    Resolve-Path src
    Split-Path src/index.ts -Leaf
    Join-Path src index.ts
    Get-FileHash README.md
    Get-Date
    Get-Date -Format yyyy-MM-dd
    Get-Command git
    Get-Random -Maximum 10
    Start-Sleep -Seconds 1
    Write-Output hello
    Write-Host 'hello there'
    Write-Output 'note: done'
    echo hello
    Compare-Object (1) 2>$null; Get-Date
    Get-Content README.md | Measure-Object -Line
    Get-ChildItem | Out-String
    Get-ChildItem | ConvertTo-Json
    findstr TODO README.md
    where.exe git
    whoami
    hostname
    git status
    git log --oneline -5
    git diff --stat
    git branch -a
    rg TODO src
    node --version
    Get-ChildItem > $null
  `).filter((command) => !command.startsWith("Compare-Object (") && command !== "where.exe git"),
  cmd: lines(String.raw`
    dir
    dir src
    dir /b
    dir /s /b *.ts
    dir src\*.ts
    cd
    cd src
    cd .\src
    cd /d src
    chdir src
    type README.md
    type src\index.ts
    type *.md
    echo hello
    where git
    where /r . package.json
    tree /f
    tree src
    whoami
    hostname
    ver
    vol
    findstr TODO README.md
    findstr /n TODO src\index.ts
    findstr /s /i /n main *.ts
    findstr /c:main README.md
    sort log.txt
    git status
    git log --oneline -5
    git diff --stat
    git branch -a
    git ls-files
    node --version
    rg TODO src
  `).filter((command) => command !== "cd"),
};

/** Alike in bash, zsh, sh and fish. */
const ASK_ANY = lines(`
  cat .env
  cat ./.env
  cat src/../.env
  head -5 .env
  tail .env
  grep KEY .env
  grep -r KEY .
  grep -rn KEY
  grep -R KEY .
  rg -uu KEY
  rg --hidden KEY
  rg -. KEY .
  rg KEY .env
  cat link
  cat linked/x
  cat .e*
  cat .en?
  cat *.pem
  cat server.pem
  cat ~/.ssh/id_rsa
  cat ~/.bashrc
  cat /etc/passwd
  cat /etc/hosts
  cat ../outside.txt
  cd .. && cat outside.txt
  cd ..
  cd ../..
  cd /
  cd /etc
  cd ~
  cd
  cd -
  cd src/../..
  cd src && cat ../.env
  cd src && cat ../../outside.txt
  cd linked
  sort -o README.md log.txt
  sort --output=x log.txt
  sort --compress-program=./x log.txt
  sort --files0-from=.env
  wc --files0-from=.env
  du --files0-from=.env
  uniq log.txt out.txt
  xxd -r log.txt out.bin
  sed -i s/a/b/ README.md
  sed -n 'w out.txt' README.md
  sed 's/a/b/e' README.md
  sed -f script.sed README.md -i
  sed -n 'r .env' README.md
  find . -delete
  find . -exec rm x ';'
  find . -execdir id ';'
  find . -ok id ';'
  find . -fprint out.txt
  find . -fls out.txt
  rg --pre ./x TODO
  rg --hostname-bin=./x TODO
  rg -z TODO
  file -C -m magic
  file -m .env README.md
  file -f .env
  file -z log.gz
  tree -o out.txt
  tree -R -H . -o x
  date -s 2020-01-01
  date 010100002020
  date -f .env
  hostname evil
  hostname -F .env
  diff .env README.md
  diff -r . src
  comm .env README.md
  cmp .env README.md
  paste .env
  nl .env
  od -c .env
  xxd .env
  strings .env
  base64 .env
  column -t .env
  md5sum -c .env
  tac .env
  cut -c1- .env
  fold .env
  git diff --output=x
  git diff --ext-diff
  git diff --no-index .env README.md
  git log --output=x
  git branch -D main
  git branch -d main
  git branch new
  git branch -m a b
  git branch --edit-description
  git branch -f main HEAD~1
  git tag v1
  git tag -d v1
  git remote add x https://example.com/x
  git remote remove origin
  git remote set-url origin x
  git remote update
  git remote prune origin
  git stash
  git stash pop
  git stash drop
  git stash push
  git grep -O TODO
  git grep --open-files-in-pager=id TODO
  git grep --no-index KEY
  git reflog expire --all
  git reflog delete HEAD@{0}
  git cat-file -p HEAD:.env
  git show HEAD:.env
  git blame .env
  git blame --contents .env README.md
  git -c core.pager=id log
  git -C /etc status
  git --git-dir=/x log
  git --exec-path=/x log
  git config --list
  git add .
  git commit -m x
  git push
  git fetch
  git checkout .
  git clean -fd
  git reset --hard
  git rebase main
  git worktree add x
  ls | xargs cat
  env
  printenv
  set
  export A=1
  A=1 ls
  npm test
  npm install
  npx tsc
  node x.js
  node -e 1
  python3 -c 1
  bash -c ls
  make
  rm -rf x
  mv a b
  cp a b
  mkdir x
  touch x
  chmod +x x
  ln -s a b
  tee x
  curl https://example.com
  wget https://example.com
  ssh host
  sudo ls
  kill 1
  ps eww
  awk 'BEGIN{system("id")}'
  xargs ls
  time ls
  nohup ls
  eval ls
  exec ls
  source x
  ./x
  /bin/ls
  ls > x
  ls >> x
  cat < .env
  ls &
  cat README.md | sh
  gm convert a b
  gci write .
  sl
`);

const ASK_POSIX = lines(String.raw`
  cat a$?
  cat link$HOME/.bashrc
  cat .e"$LOGNAME"nv
  cat $PWD/.env
  cat "$PWD/.env"
  cat "$PWD/../outside.txt"
  cat $HOME/x
  cat $RANDOM
  cat .e$1nv
  cat "$1"
  head $TMPDIR/x
  grep -f"$USER" README.md
  cat $(echo .env)
  cat <<< x
  cat .e\nv
  (cd ..; ls)
  cd src || cat ../.env
  printf -v x y
  test -v x
`);

export const ASKS: Record<ShellKind, string[]> = {
  bash: [
    ...ASK_ANY,
    ...ASK_POSIX,
    "cat .e{n,m}v",
    "cat ~+/.env",
    "cat $'.e\\x6ev'",
    "shopt -s dotglob",
    "cat ${x:-.env}",
    "cat <(id)",
  ],
  zsh: [
    ...ASK_ANY,
    ...ASK_POSIX,
    "cat =ls",
    "cat .en(v)",
    "cat (#i).ENV",
    "cat *~x",
    "cat .e<->",
    "cat ${~x}",
  ],
  sh: [...ASK_ANY, ...ASK_POSIX],
  fish: [...ASK_ANY, "cat $HOME/x", "cat (pwd)/x", "cat .e?v", "cat ~/x", "cat **", "cat .en\\v"],
  powershell: lines(String.raw`
    Get-Content .env
    gc .ENV
    gc .\.env
    gc src\..\.env
    gc '.en[v]'
    gc .en?
    gc src\.e*
    gc *.pem
    gc ENV~1
    gc $env:X
    gc $HOME\x
    gc ~\x
    gc C:\Users\x
    gc \\host\share\x
    gc Env:PATH
    gc README.md -Stream x
    gc -Path:.env
    Get-Content -LiteralPath .env
    Select-String -Path .env -Pattern KEY
    sls KEY .env
    gci -Recurse | Select-String KEY
    gci | gc
    gci | ForEach-Object { Remove-Item $_ }
    gci | % { $_.Delete() }
    gci | Where-Object { Remove-Item x }
    Get-ChildItem Env:
    Get-ChildItem HKLM:\
    Set-Location ..
    cd ..
    cd \
    cd C:\
    cd ~
    cd HKLM:
    Set-Content x y
    Add-Content x y
    Out-File x
    Remove-Item x
    New-Item x
    Copy-Item a b
    Get-Content README.md | Set-Content x
    Get-Content README.md > x
    Tee-Object x
    Invoke-Expression x
    iex x
    Start-Process x
    Invoke-WebRequest https://example.com
    find 'a b' .env
    & git status
    .\build.ps1
    powershell -c ls
    cmd /c dir
    npm test
    Sort-Object { Remove-Item x }
    Select-Object @{n='x';e={1}}
    Get-Date; Remove-Item x
    Get-Command (Remove-Item x)
    "x" | iex
  `),
  cmd: lines(String.raw`
    type .env
    type .ENV
    type .\.env
    type .en?
    type .env?
    type *.pem
    type ENV~1
    type E*
    type C:\Users\x
    type \\host\x
    type %X%
    type .env^
    type ".env"
    cd ..
    cd \
    cd /d ..
    cd C:\
    cd C:
    dir & del x
    dir | more
    dir > x
    dir %X%
    del x
    copy a b
    move a b
    ren a b
    md x
    set
    start x
    call x
    findstr /g:.env README.md
    findstr /f:.env x
    findstr KEY .env
    findstr /s KEY *
    sort README.md /o x
    sort .env
    for %i in (a) do x
    if exist x del x
    powershell -c ls
    npm test
    gradlew
    x.bat
    .\x.bat
    date 01-01-2020
    time
    git push
    git branch -D x
  `),
};
