/** Git commands by chance: subcommands, options, revisions and paths as they may stand in a command line. */

const list = (text: string) => text.split(/\s+/).filter((word) => word !== "");

const REVISIONS = list(`
  HEAD HEAD HEAD~1 HEAD~2 HEAD~3 HEAD~4 HEAD^ HEAD^2 HEAD^@ HEAD^! HEAD^- HEAD~5^2 main other evil evil^1 evil^2 evil^@ side
  moved moved~1 ^HEAD~3 ^other HEAD~2..HEAD HEAD~5..HEAD~2 main..other main...other HEAD...other other.. ..other stash
  stash@{0} stash@{0}^ stash@{0}^2 stash@{0}^3 stash^3 HEAD@{1} HEAD@{2} @{1} main@{1} @ v1 heavy light secret-tag notes/other
  refs/notes/other HEAD^{tree} HEAD~3^{tree} moved~1^{tree} HEAD^{} v1^{commit} HEAD^{/plain} HEAD^{/.} :/plain :/secret
  HEAD:src HEAD:src/plain.ts HEAD:./a.txt :a.txt :0:a.txt :settings.txt moved:settings.txt HEAD~2:src HEAD~1:keys other:keys
  moved~1:keys HEAD^{/x:y} HEAD^{/secret:a} 1 2 3 0 -1 -2
  HEAD: HEAD:./ :./settings.txt HEAD:src/../a.txt HEAD~0 HEAD^0 @{-1} other@{0} stash^2: HEAD^{tree}:src heavy^{blob} heavy^{}
  light^{blob} v1^{} refs/tags/light tags/heavy refs/stash ORIG_HEAD evil~1..evil side..evil stash@{0}^..stash@{0} moved^!
  other^! --all:a.txt main~1^@ ^HEAD ^main side^@ refs/heads/other heads/moved ...other other... HEAD^^{tree} moved~1^{}:
`);
const PATHS = list(`
  src src/plain.ts a.txt settings.txt keys . ./ :/ :(top) :!src :(exclude)keys :^keys :(icase)SRC :(icase)KEYS *.ts *.txt
  src/* sub HEAD moved nothing ../ :(glob)** :(attr:x) deep/er src/../a.txt s* b.txt
  :(literal)*.ts :(top,icase)KEYS :(top)src [k]eys k* ?eys/* .e* .* settings.* src/ sub/ :/src :(exclude,icase)SRC :!a.txt
  :(top,exclude)keys :(glob)**/*.ts :(glob)*/.env* **/er deep d*
`);

/** Options that any walk or comparison takes, most with a patch. */
const SHOWN = list(`
  -p -p -p -p -u -U -U3 --patch --patc --unified --unified=1 --unif=2 --raw --patch-with-raw --patch-with-stat --stat --stat=80
  --numstat --shortstat --dirstat --summary --compact-summary --name-only --name-status -s --no-patch -z --word-diff
  --word-diff=porcelain --color-words --color --color=always --no-color --check --full-index --binary --abbrev --abbrev=5 -R
  -B -M -C -C -D -l1 -a --text -w -b -W --function-context --exit-code --quiet --ext-diff --no-ext-diff --textconv
  --no-textconv --ignore-submodules --ignore-submodules=none --submodule --submodule=diff --submodule=log --no-prefix
  --src-prefix=x/ --dst-prefix=y --line-prefix=| --find-renames --find-copies --find-copies-harder --no-renames --relative
  --relative=src --pickaxe-all --pickaxe-regex --diff-filter=D --diff-filter=A --diff-filter=M --diff-filter=R --diff-filter=d
  --diff-algorithm=patience --patience --minimal --histogram --anchored=x --inter-hunk-context=3 --ita-invisible-in-index
  --output-indicator-new=+ --ws-error-highlight=all --color-moved --no-indent-heuristic --rotate-to=a.txt --skip-to=a.txt
  -SKEY -Sfour -Scanary -GKEY -Gx -S1 -O.gitignore -Oa.txt -pu -pw -pR -ps -pz -up
  --irreversible-delete --cumulative --dirstat-by-file --stat-count=1 --no-color-moved --default-prefix -X --color-moved-ws=no
  --diff-filter=T --diff-filter=a --diff-filter=* --no-rename-empty --rename-empty -M90% -B50%/50% -C1 --no-relative -U1 -U0
`);
const SHOWN_VALUED: [option: string, values: string[]][] = [
  ["-S", ["KEY", "four", "-1", "a.txt"]],
  ["-G", ["KEY", "o", "HEAD"]],
  ["-l", ["1", "-1"]],
  ["-O", ["a.txt"]],
  ["--diff-filter", ["A", "D", "M", "-1"]],
  ["--diff-algorithm", ["minimal"]],
  ["--src-prefix", ["x", "HEAD~3"]],
  ["--inter-hunk-context", ["2"]],
  ["--word-diff-regex", [".", "HEAD~2"]],
  ["--anchored", ["x", "other"]],
  ["--find-object", ["HEAD:a.txt"]],
];
const WALKED = list(`
  -1 -1 -2 -3 -n1 -n2 -n3 --max-count=1 --max-count=2 --skip=1 --skip=2 --all --branches --tags --remotes --glob=o*
  --glob=refs/stash --exclude=main --reflog --not --since=2000 --until=2000 --since=2.years --author=a --author=z
  --committer=a --grep=secret --grep=plain --invert-grep --all-match -i -E -F -P --merges --no-merges --min-parents=2
  --max-parents=1 --no-max-parents --first-parent --exclude-first-parent-only -m -c --cc --dd --diff-merges=on
  --diff-merges=off --diff-merges=first-parent --diff-merges=separate --diff-merges=dense-combined --diff-merges=remerge
  --remerge-diff --combined-all-paths --no-diff-merges --follow --full-history --dense --sparse --simplify-merges
  --simplify-by-decoration --ancestry-path --show-pulls --remove-empty --full-diff --topo-order --date-order
  --author-date-order --reverse --boundary --left-right --left-only --right-only --cherry --cherry-pick --cherry-mark
  --merge --no-walk --no-walk=unsorted --do-walk -g --walk-reflogs --grep-reflog=commit --bisect --graph --no-graph
  --parents --children --source --decorate --decorate=full --log-size --oneline --pretty --pretty=oneline --pretty=full
  --pretty=raw --format=%H --format=%s%n%b --format=%N --format=%B%N --pretty=email --pretty=tformat:%h --notes
  --notes=other --show-notes --no-notes --show-notes=other --standard-notes --abbrev-commit --no-abbrev-commit
  --relative-date --date=iso --encoding=UTF-16 --encoding=UTF-8 --use-mailmap --root --ignore-missing --single-worktree
  --show-signature --stdin --end-of-options --early-output --objects --count --clear-decorations -t -r
  -L1,3:a.txt -L1,2:settings.txt -L:x:src/plain.ts -q
  --since-as-filter=2000 --merge-base --timestamp --no-abbrev --expand-tabs --mailmap --basic-regexp --no-min-parents
  --decorate-refs-exclude=x --exclude=* --reflog --remotes=o* --tags=l* --branches=o* --max-count=0 -n0 --skip=0 -0 -4 -10
  --format= --pretty=%s --pretty=fuller --pretty=x --format=oneline --format=%x00 --pretty=short -p1
`);
const WALKED_VALUED: [option: string, values: string[]][] = [
  ["-n", ["1", "2", "-1", "HEAD~3"]],
  ["--max-count", ["1", "2"]],
  ["--skip", ["1", "2", "-1"]],
  ["--since", ["2000", "yesterday", "-1"]],
  ["--until", ["2000"]],
  ["--author", ["a", "-1", "HEAD~3"]],
  ["--grep", ["secret", "plain", "-1", "HEAD~4"]],
  ["--glob", ["o*", "refs/notes/*"]],
  ["--exclude", ["main"]],
  ["--diff-merges", ["on", "off", "c"]],
  ["--date", ["iso"]],
  ["--encoding", ["UTF-16"]],
  ["--decorate-refs", ["HEAD~3", "x"]],
  ["-L", ["1,3:a.txt", "1,2:settings.txt"]],
];
const OF_DIFF = list(
  "--cached --staged --merge-base --base --ours --theirs --no-index -c --cc -1 -2 -3 -0 -q -m",
);
const GREPPED = list(`
  -n -i -v -w -a -I -r -E -F -P -h -H -l -L -c -o -q -z -W -p -1 -C1 -A2 -B3 --cached --untracked --no-index
  --recurse-submodules --full-name --name-only --count --heading --break --column --all-match --textconv --max-depth=1
  -O -Oless --open-files-in-pager --no-exclude-standard -nI -in -m1
`);
const GREP_PATTERNS = [
  ["KEY"],
  ["."],
  ["-e", "KEY"],
  ["-e", "four", "--or", "-e", "KEY"],
  ["--not", "-e", "x"],
  ["-f", "a.txt"],
];
const GLOBALS = list(
  "--no-pager -P --literal-pathspecs --icase-pathspecs --glob-pathspecs --noglob-pathspecs --no-replace-objects --no-optional-locks",
);
const BLAMED = list(
  "-b --root -f -n -p -c -t -l -s -e -w -M -C -C -L1,2 -L:x --porcelain --line-porcelain --incremental --show-stats --minimal --first-parent --abbrev=3 -Sa.txt --contents=a.txt --ignore-revs-file=a.txt --ignore-rev=HEAD --reverse",
);
const OTHERS = [
  "cat-file -p",
  "cat-file blob",
  "cat-file -t",
  "cat-file commit",
  "cat-file tag",
  "cat-file tree",
  "cat-file --batch-all-objects",
  "ls-tree -r",
  "ls-files -s",
  "rev-list --objects",
  "rev-list --pretty",
  "rev-list",
  "shortlog",
  "shortlog -p",
  "reflog exists",
  "tag -n",
  "tag -n9 -l",
  "tag --format=%(contents) -l",
  "tag --format=%(refname)%(*raw) -l",
  "for-each-ref --format=%(raw)",
  "for-each-ref --format=%(contents)",
  "for-each-ref --format=%(subject)",
  "branch -vv --list",
  "branch --format=%(raw) --list",
  "describe --always",
  "name-rev",
  "show-ref",
  "cherry -v",
  "rev-parse",
  "merge-base",
  "status -v",
  "status -vv",
  "status -s",
  "archive",
  "archive --prefix=x/",
  "archive --format tar",
];

/** The words of one command behind `git`. */
export function commandBy(chance: () => number): string[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
  const some = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: Math.floor(chance() * (most + 1)) }, make);
  const valued = ([option, values]: [string, string[]]) => [option, pick(values)];
  const shown = () => (chance() < 0.1 ? valued(pick(SHOWN_VALUED)) : [pick(SHOWN)]);
  const walked = () => (chance() < 0.15 ? valued(pick(WALKED_VALUED)) : [pick(WALKED)]);
  const revision = () => [pick(REVISIONS)];
  const ends = () => {
    const paths = some(2, () => pick(PATHS));
    return chance() < 0.5 ? (paths.length > 0 || chance() < 0.2 ? ["--", ...paths] : []) : paths;
  };
  const mixed = (groups: string[][]) => {
    const left = [...groups];
    const order: string[] = [];
    while (left.length > 0) order.push(...(left.splice(Math.floor(chance() * left.length), 1)[0] ?? []));
    return order;
  };
  const globals = chance() < 0.1 ? [pick(GLOBALS)] : chance() < 0.04 ? ["-C", pick(["src", "sub", "."])] : [];
  const kind = chance();
  let words: string[];
  if (kind < 0.4)
    words = [
      pick(["log", "log", "log", "show", "show", "whatchanged"]),
      ...mixed([...some(2, shown), ...some(3, walked), ...some(2, revision)]),
      ...ends(),
    ];
  else if (kind < 0.55)
    words = [
      "diff",
      ...mixed([...some(2, shown), ...some(1, () => [pick(OF_DIFF)]), ...some(3, revision)]),
      ...ends(),
    ];
  else if (kind < 0.6)
    words = [
      pick(["diff-tree", "diff-index", "diff-files"]),
      ...mixed([["-p"], ...some(2, shown), ...some(1, walked), ...some(2, revision)]),
      ...ends(),
    ];
  else if (kind < 0.72)
    words = [
      "grep",
      ...some(2, () => pick(GREPPED)),
      ...pick(GREP_PATTERNS),
      ...some(1, () => pick(GREPPED)),
      ...some(2, () => pick(REVISIONS)),
      ...ends(),
    ];
  else if (kind < 0.82)
    words = [
      ...pick([
        ["reflog"],
        ["reflog", "show"],
        ["stash", "list"],
        ["stash", "show"],
        ["stash", "show", "-p"],
      ]),
      ...mixed([...some(2, shown), ...some(2, walked), ...some(1, revision)]),
      ...ends(),
    ];
  else if (kind < 0.9)
    words = ["blame", ...some(2, () => pick(BLAMED)), ...some(1, () => pick(REVISIONS)), ...ends()];
  else
    words = [
      ...pick(OTHERS).split(" "),
      ...some(2, () => pick(REVISIONS)),
      ...(chance() < 0.2 ? ends() : []),
    ];
  return [...globals, ...words];
}

/** For a shell: quoted where it is no plain word. */
export function spelled(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,^-]+$/.test(word) ? word : quoted(word))).join(" ");
}

/** One word for a shell, whatever is in it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
