/**
 * Every program of the lists that is here, with every option that it tells of and words that lead where nothing may lead:
 * what the judge lets through is run by every shell, and must read no secret, change nothing, start nothing, reach nobody.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { builtInCommands } from "../../src/shared/safe-commands.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { createNodeHost } from "../support/node-host.ts";
import { Random, rounds, sampled, seedOf } from "../support/random.ts";
import { posixShells, programFile } from "../support/shells.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";
import { commandOf, type Program, programOf, waits } from "./sweep/commands.ts";
import { createPlayground, type Finding, type Kind, type Playground } from "./sweep/playground.ts";

const seed = seedOf("sweep");
/**
 * Commands that are allowed and run in each shell. NEKODE_USERLAND=busybox takes the programs of busybox where they are here.
 */
const wanted = rounds(25, 2_500);
const AT_ONCE = 25;

/** Their work is to run, to write or to reach others, or they are judged by tests of their own. */
const LEFT_OUT =
  /^(?:ctest|cmake|ninja|sponge|vidir|vipe|git|make|npm|npx|pnpm|yarn|node|deno|bun|python3?|ruby|php|perl|bash|sh|zsh|fish|go|cargo|rustc|gcc|cc|g\+\+|clang|docker|kubectl|gh|curl|wget|ssh|ping|dig|host|nslookup|cp|mv|touch|mkdir|chmod|ln|zip|unzip|tee|dd|crontab|systemctl|journalctl|ip|vim|view|perf|pip|mvn|gradle|dotnet|composer|cloc|scc|tokei|gem|apt|dpkg|man|tsc|eslint|jest|vitest|java|javac|strace|dmesg|sleep|top|history|set|type|time|clear|tput|gpg|openssl|hostname|svn|hg|jj|rake|rspec|mocha|phpunit|rubocop|ansible|coverage|sqlite3|ffmpeg|convert|magick|gs|pandoc|dot|protoc|black|xmllint|xsltproc)$/;

/** The machine's own programs: what somebody has put before them on PATH is not theirs. */
const FOLDERS = ["/bin", "/usr/bin"];

const MORE =
  "tree look rg gawk mawk fdfind ugrep ag batcat exa cal ncal tsort factor numfmt nproc id groups users who tty arch cksum b2sum sum shasum sha1sum sha224sum sha384sum ptx pathchk logname hostid uptime free pgrep lsblk lscpu getconf locale iconv pinky dir vdir namei findmnt getopt hexdump hd col colrm ul rev ts sponge vidir isutf8 combine ifdata mispipe errno hexyl xzcat bzcat zstdcat lz4cat readelf objdump nm size addr2line pdftotext pdfinfo pdffonts catdoc antiword html2text clang-format enca figlet pv bc codespell yamllint xmlstarlet yq hunspell getfacl lsattr bsdtar xgettext msgcat jsonlint".split(
    " ",
  );

const names = [
  ...new Set([
    ...[...builtInCommands("bash"), ...CORPORA.flatMap((name) => loadCorpus(name).allow)].map(
      (entry) => entry.split(" ")[0] ?? "",
    ),
    ...MORE,
  ]),
].filter((name) => /^[a-z[]/.test(name) && !LEFT_OUT.test(name));

/** What the lists begin with is drawn more often. */
const OFTEN = new Set(
  "ls cat head tail wc grep rg find sort sed cut tr nl stat file du df which basename dirname realpath tree column date printf test [ echo jq awk uniq diff xxd od strings md5sum".split(
    " ",
  ),
);

/** The programs that are here, and a folder of links to those of busybox if it is them that are wanted. */
async function programsHere(): Promise<{ programs: { name: string; file: string }[]; tools?: string }> {
  const busybox = process.env.NEKODE_USERLAND === "busybox" ? programFile("busybox", FOLDERS) : undefined;
  const machine = names.flatMap((name) => {
    const file = programFile(name, FOLDERS) ?? (/^(?:cd|command)$/.test(name) ? name : undefined);
    return file === undefined ? [] : [{ name, file }];
  });
  if (busybox === undefined) return { programs: machine };
  const applets = spawnSync(busybox, ["--list"], { encoding: "utf8" }).stdout.split("\n");
  const tools = await mkdtemp(path.join(tmpdir(), "nekode-applets-"));
  const programs = names
    .filter((name) => applets.includes(name))
    .map((name) => ({ name, file: path.join(tools, name) }));
  for (const { file } of programs) await symlink(busybox, file);
  return { programs, tools };
}

async function sweep(kind: Kind, shell: string) {
  const { programs, tools } = await programsHere();
  const playground = await createPlayground(
    programs.map(({ name }) => name),
    tools,
  );
  try {
    return await sweepIn(playground, kind, shell, programs);
  } finally {
    await playground.dispose();
    if (tools !== undefined) await rm(tools, { recursive: true });
  }
}

async function sweepIn(
  playground: Playground,
  kind: Kind,
  shell: string,
  programs: { name: string; file: string }[],
) {
  const { project } = playground;
  const { host } = createNodeHost({
    root: project,
    dataDir: path.join(project, "../data"),
    assetsDir: path.join(import.meta.dirname, "../../node_modules/@vscode/tree-sitter-wasm/wasm"),
    shell,
    // What the judge allows where there is none.
    hasSandbox: false,
    log: { info: () => undefined, error: () => undefined },
  });
  const settings = settingsSchema.parse({ approval: { commandSafe: true }, commands: { allow: names } });
  const judge = new Judge(host, () => settings);
  const random = new Random(seed);
  const drawn = programs.flatMap((program) =>
    OFTEN.has(program.name) ? Array.from({ length: 6 }, () => program) : [program],
  );
  const known = new Map<string, Program>();
  const others = new Set<string>(["--help", "--version"]);
  const knownAs = ({ name, file }: { name: string; file: string }): Program => {
    const program = known.get(name) ?? programOf(name, file);
    known.set(name, program);
    for (const option of program.options) others.add(option);
    return program;
  };
  const seen = new Set<string>();
  const found: Finding[] = [];
  let ran = 0;
  // fish makes folders for itself when it is first started.
  await playground.findings(kind, shell, ["true"]);
  try {
    for (let batch: string[] = []; ran < wanted; ) {
      const command = commandOf(knownAs(random.pick(drawn)), random, [...others], playground);
      if (seen.has(command) || waits(command)) continue;
      seen.add(command);
      const { verdict } = await judge.permission({ access: "command" }, { paths: [], command }, "act");
      if (verdict === "allow") batch.push(command);
      if (batch.length < AT_ONCE) continue;
      const news = await playground.findings(kind, shell, batch);
      for (const { what, commands } of news) console.log(`${kind}: ${what}: ${commands.join(" ;; ")}`);
      found.push(...news);
      ran += batch.length;
      batch = [];
    }
  } finally {
    host.shell.dispose();
  }
  return { found, judged: seen.size, ran };
}

describe.each(sampled(posixShells, 2))(
  `what is allowed, run by $name (NEKODE_SEED=${seed})`,
  ({ name, path: shell }) => {
    const kind = name === "zsh" || name === "fish" || name === "sh" ? name : "bash";
    it("reads no secret, changes nothing, starts nothing, reaches nobody", {
      timeout: 3_600_000,
    }, async () => {
      const { found, judged, ran } = await sweep(kind, shell);
      console.log(`${name}: ${ran} of ${judged} commands were allowed and run`);
      expect(found.map(({ what, commands }) => `${what}: ${commands.join(" ;; ")}`)).toEqual([]);
    });
  },
);

describe.each(posixShells.filter(({ name }) => name === "bash"))("the playground", ({ path: shell }) => {
  it("knows the end of the output, however many errors are read after it", async () => {
    const playground = await createPlayground(["tail"]);
    try {
      const late = "{ tail --pid=$$ -s 0.01 -f /dev/null; printf '%010000d' 0 >&2; } &";
      expect(await playground.findings("bash", shell, [late])).toEqual([]);
      const [finding] = await playground.findings("bash", shell, ["$("]);
      expect(finding?.what).toBe("is not understood by the shell");
    } finally {
      await playground.dispose();
    }
  });
});
