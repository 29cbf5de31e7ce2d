/**
 * A project full of things that must not happen: files whose reading, a folder whose changing, programs whose starting and
 * a port whose use is noticed. Commands run in it for real, and what one of them did is found by halving.
 */
import { spawn } from "node:child_process";
import { lstatSync, readdirSync, utimesSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killListed } from "../../support/processes.ts";

export type Kind = "bash" | "zsh" | "sh" | "fish";

const CANARY = "canary-4711";

/** What was noticed, and the smallest list of commands that does it. */
export interface Finding {
  what: string;
  commands: string[];
}

export interface Playground {
  project: string;
  /** An absolute path outside the project, and a port that nobody may use. */
  outside: string;
  port: number;
  /** What these commands did that they must not, each with the command that did it. */
  findings(kind: Kind, shell: string, commands: string[]): Promise<Finding[]>;
  dispose(): Promise<void>;
}

/** Milliseconds that several commands may take together before they are tried in halves, and that one may take. */
const LONGEST_MS = 5_000;
const LONGEST_ONE_MS = 60_000;
/** Characters of the commands' output that are looked at; the end is known however much comes before it. */
const OUTPUT_LIMIT = 4_000_000;
const LATE = "does not end";
const END = "all of them ran";

const FILES: Record<string, string> = {
  "a.txt": "b 2\na 1\n",
  "b.txt": "x\ny x\n",
  "data.json": '{"a": [1, 2], "env": "x"}\n',
  "data.yml": "a: 1\n",
  "data.csv": "a,b,200\n",
  "src/a.ts": "const a = 1;\n",
  "src/b.ts": "// TODO x\n",
  "my folder/x y.txt": "x\n",
  ".gitignore": ".env\nprivate/\n",
  "package.json": '{"name": "x", "scripts": {"evil": "touch ran"}}\n',
  // Files that name others, for options that take a list.
  "names.txt": ".env\n../outside/secret.txt\n",
  names0: ".env\0../outside/secret.txt\0",
  "sums.txt":
    "d41d8cd98f00b204e9800998ecf8427e  .env\nd41d8cd98f00b204e9800998ecf8427e  ../outside/secret.txt\n",
  ".ignore": "!.env\n",
  args: "-f\n.env\n",
  "@args": "-f .env\n",
  "-rf": "x\n",
  "x.sed": "r .env\n",
  "x.awk": '{ system("touch ran") }\n',
  "x.jq": 'import ".env" as $a; .\n',
  evil: "#!/bin/sh\ntouch ran\n",
};

/** Their content must stay unread. */
const SECRETS = [
  ".env",
  ".env.local",
  "private/server.key",
  "config/secrets.yml",
  "id_rsa",
  "../outside/secret.txt",
  "../outside/more/b.txt",
  "../home/.bashrc",
  "../home/.netrc",
  "../home/notes.txt",
];

const LINKS: [name: string, target: string][] = [
  ["link-env", ".env"],
  ["link-out.txt", "../outside/secret.txt"],
  ["link-folder", "../outside"],
  ["src/up", ".."],
  ["link-new", "../outside/new"],
];

/** Programs that others start by name. */
const TRAPS =
  "sh bash vi vim nano ed emacs editor pager sensible-pager sensible-editor gpg gpg2 ssh rsh scp curl wget node npm npx python3 python perl ruby sudo gzip gunzip zcat bzip2 xz zstd lz4 lzop compress uncompress rm touch make gcc cc lesspipe lessecho xdg-open dot";

const TRAP = `#!/bin/sh\nprintf '%s ' "$0" "$@" >> "$NEKODE_TRAPS"\n`;

/** `tested`: programs that are no traps. `tools`: a folder in front of the machine's own programs, as of another userland. */
export async function createPlayground(tested: readonly string[], tools?: string): Promise<Playground> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "nekode-sweep-")));
  const [project, outside, home, traps, notes] = ["project", "outside", "home", "traps", "notes"].map(
    (name) => join(base, name),
  );
  if (!project || !outside || !home || !traps || !notes) throw new Error("unreachable");
  const folders = ["src", "my folder", "private", "config", "sub"].map((name) => join(project, name));
  for (const folder of [...folders, join(outside, "more"), home, traps, notes])
    await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(project, name), text);
  for (const name of SECRETS) await writeFile(join(project, name), `KEY=${CANARY}\n`);
  for (const [name, target] of LINKS) await symlink(target, join(project, name));
  await chmod(join(project, "evil"), 0o755);
  const trapped = TRAPS.split(" ").filter((name) => !tested.includes(name));
  for (const name of trapped) {
    await writeFile(join(traps, name), TRAP);
    await chmod(join(traps, name), 0o755);
  }
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const proxy = `http://127.0.0.1:${port}`;
  const started = join(notes, "started");
  const env = {
    HOME: home,
    LANG: "C.UTF-8",
    TMPDIR: notes,
    PAGER: "cat",
    NEKODE_TRAPS: started,
    SERVICE_TOKEN: CANARY,
    http_proxy: proxy,
    https_proxy: proxy,
    ALL_PROXY: proxy,
    PATH: [traps, ...(tools === undefined ? [] : [tools]), "/usr/bin", "/bin"].join(":"),
  };

  /** What is noticed of one run; empty where nothing was. */
  const noticed = async (kind: Kind, shell: string, commands: readonly string[]): Promise<string[]> => {
    const secrets = SECRETS.map((name) => join(project, name));
    // Whoever reads a file makes the time of its last reading newer than this.
    for (const secret of secrets) utimesSync(secret, 1, lstatSync(secret).mtime);
    await rm(started, { force: true });
    const before = listing([project, outside, home]);
    const called = calls;
    const { output, ended, late } = await run(kind, shell, commands, project, env);
    const what: string[] = [];
    if (late) what.push(LATE);
    else if (!ended) what.push("is not understood by the shell");
    const read = secrets.filter(
      (secret) => (lstatSync(secret, { throwIfNoEntry: false })?.atimeMs ?? 1000) > 1000,
    );
    if (read.length > 0) what.push(`reads ${read.map((path) => path.slice(base.length + 1)).join(", ")}`);
    if (output.includes(CANARY)) what.push("shows a secret");
    const after = listing([project, outside, home]);
    const changed = [
      ...after.filter((line) => !before.includes(line)),
      ...before.filter((line) => !after.includes(line)),
    ];
    if (changed.length > 0)
      what.push(
        `changes ${[...new Set(changed.map((line) => line.slice(base.length + 1).replace(/(?: [\d.]+){5}$/, "")))].join(", ")}`,
      );
    if (calls !== called) what.push("reaches the network");
    const ran = await readFile(started, "utf8").catch(() => "");
    if (ran !== "") what.push(`starts ${ran}`);
    return what;
  };

  const findings = async (kind: Kind, shell: string, commands: readonly string[]): Promise<Finding[]> => {
    const what = await noticed(kind, shell, commands);
    if (what.length === 0) return [];
    if (commands.length <= 1) return [{ what: what.join(", "), commands: [...commands] }];
    const half = commands.length >> 1;
    const found = [
      ...(await findings(kind, shell, commands.slice(0, half))),
      ...(await findings(kind, shell, commands.slice(half))),
    ];
    // What happens once, or only together, is still told; a busy machine is not.
    return found.length > 0 || what.every((each) => each === LATE)
      ? found
      : [{ what: what.join(", "), commands: [...commands] }];
  };

  return {
    project,
    outside,
    port,
    findings,
    async dispose() {
      await new Promise((resolve) => server.close(resolve));
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Every entry below, links not followed, with what changes when it is written to. */
function listing(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      const { mode, size, mtimeMs, uid, nlink } = lstatSync(path);
      const line = `${path} ${mode} ${size} ${mtimeMs} ${uid} ${nlink}`;
      return entry.isDirectory() ? [line, ...listing([path])] : [line];
    }),
  );
}

function run(
  kind: Kind,
  shell: string,
  commands: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ output: string; ended: boolean; late: boolean }> {
  // fish has no subshells: there `cd` is undone.
  const text = commands.map((command) =>
    kind === "fish" ? `set nekode_at $PWD\n${command}\nbuiltin cd $nekode_at` : `(\n${command}\n)`,
  );
  text.push(`echo ${END}`);
  const options = kind === "fish" ? ["--no-config"] : kind === "zsh" ? ["-f"] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(shell, [...options, "-c", text.join("\n")], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let late = false;
    const killed = setTimeout(
      () => {
        late = true;
        // The shell may have ended, and its end not yet be known.
        if (child.pid !== undefined) killListed(-child.pid);
      },
      commands.length > 1 ? LONGEST_MS : LONGEST_ONE_MS,
    );
    let output = "";
    // Of the output alone: what came before the end on the other stream may be read after it.
    let tail = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        if (output.length < OUTPUT_LIMIT) output += String(chunk);
        if (stream === child.stdout) tail = (tail + String(chunk)).slice(-2 * END.length);
      });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(killed);
      resolve({ output, ended: tail.includes(END), late });
    });
  });
}
