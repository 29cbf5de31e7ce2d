/**
 * What the profile for macOS's sandbox allows, by the rules that seatbelt.ts states: no test here runs on a Mac. The attempts are those of
 * attempts.ts, in terms of operations and paths.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SandboxProfile } from "../../../../src/core/ports/sandbox.ts";
import { Sandbox } from "../../../../src/node/sandbox/command-sandbox.ts";
import type { FileRules } from "../../../../src/node/sandbox/file-rules.ts";
import { seatbelt, seatbeltProfile } from "../../../../src/node/sandbox/seatbelt.ts";
import { temporaryFolder } from "../support.ts";
import { type Attempt, evaluator, readProfile } from "./seatbelt-evaluator.ts";

const HOME = "/Users/mia";
const APP = `${HOME}/app`;
const DATA = `${HOME}/.local/share/nekode`;
const OWN = "/private/var/folders/x1/abc/T/nekode-sandbox-1";
const CACHES = `${HOME}/.cache/nekode/sandbox/0123`;

const TYPICAL: FileRules = {
  profile: "work",
  network: false,
  hidden: [
    ...[`${HOME}/.ssh`, `${HOME}/.netrc`, `${HOME}/Library/Keychains`],
    ...[`${APP}/.env`, `${APP}/packages/web/.env.local`, DATA],
  ],
  shown: [`${DATA}/plugins/installed`],
  fixed: [".vscode", "AGENTS.md", ".github", ".mcp.json", "docs/rules.md", ".git/hooks", ".git/config"].map(
    (name) => `${APP}/${name}`,
  ),
  absent: [".idea", ".nekode", ".git/commondir"].map((name) => ({ path: `${APP}/${name}` })),
  folders: [APP, `${APP}/.git`, CACHES],
  programs: ["/private/tmp/bin", "/usr/bin"],
  temporary: `${OWN}/tmp`,
  own: OWN,
};

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  read: ["file-read-data", "file-read-xattr"],
  look: ["file-read-metadata"],
  write: ["file-write-data"],
  change: ["file-write-mode", "file-write-xattr", "file-write-owner"],
  make: ["file-write-create"],
  // Or rename it.
  remove: ["file-write-unlink"],
  link: ["file-link"],
  clone: ["file-clone"],
};

function attempts(profile: string) {
  const allows = evaluator(profile);
  /** `what`: a verb and a path. All operations of a verb have the same answer. */
  return (what: string): boolean => {
    const [verb = "", ...rest] = what.split(" ");
    const answers = (OPERATIONS[verb] ?? []).map((operation) => allows({ operation, path: rest.join(" ") }));
    expect(new Set(answers).size).toBe(1);
    return answers[0] ?? false;
  };
}

const inBoth = {
  allowed: [
    ...["read /etc/hosts", "read /usr/lib/libz.dylib", `read ${HOME}/notes.txt`, `look ${HOME}`, "read /"],
    ...[`read ${APP}/a.txt`, `read ${APP}/AGENTS.md`, `read ${APP}/.vscode/settings.json`],
    ...[`read ${APP}/.git/config`, `read ${APP}/.env.example`, `read ${HOME}/.netrc2`, `read ${HOME}/.sshd`],
    ...[`look ${APP}/.env`, `look ${HOME}/.ssh`, "read /dev/null", "read /dev/urandom", "read /dev/fd/3"],
    ...["write /dev/null", "write /dev/tty", "write /dev/stderr", "write /dev/fd/2", "read /dev/tty"],
    ...[`write ${OWN}/tmp/x`, `make ${OWN}/tmp/a/b`, `remove ${OWN}/tmp/x`, `read ${OWN}/tmp/x`],
    `change ${OWN}/tmp/x`,
    ...[`read ${DATA}/plugins/installed`, `read ${DATA}/plugins/installed/cat/run.sh`],
    ...[`look ${DATA}`, `look ${DATA}/plugins`],
    ...[
      `look ${OWN}`,
      "look /private/var/folders/x1/abc/T",
      "read /private/tmp/bin/git",
      "look /private/tmp",
    ],
  ],
  denied: [
    ...[`read ${DATA}`, `read ${DATA}/plugins`, `read ${DATA}/plugins/plugins.json`, `read ${DATA}/a.sqlite`],
    ...[
      `look ${DATA}/a.sqlite`,
      `write ${DATA}/plugins/installed/cat/run.sh`,
      `make ${DATA}/plugins/installed/x`,
    ],
    ...[`read ${HOME}/.ssh`, `read ${HOME}/.ssh/id_rsa`, `look ${HOME}/.ssh/id_rsa`, `read ${HOME}/.netrc`],
    ...[`read ${HOME}/Library/Keychains/login.keychain-db`, `read ${APP}/.env`],
    ...[`read ${APP}/packages/web/.env.local`, `read /System/Volumes/Data${HOME}/.ssh/id_rsa`],
    ...[`write ${APP}/.env`, `remove ${APP}/.env`, `make ${APP}/.env`, `make ${APP}/.ENV`],
    ...[
      "read /dev/rdisk0",
      "read /dev/ttys003",
      "write /dev/ttys003",
      "write /dev/rdisk0",
      "remove /dev/null",
    ],
    ...["read /private/tmp/canary", "read /private/var/folders/x1/abc/T/other/file", `read ${OWN}/1.sb`],
    ...[
      `write ${OWN}/1.sb`,
      `remove ${OWN}/tmp`,
      `make ${OWN}/2`,
      "make /private/tmp/x",
      "make /private/var/tmp/x",
    ],
    ...[`write ${HOME}/notes.txt`, `make ${HOME}/x`, `remove ${HOME}/notes.txt`, `make ${HOME}/app2`],
    ...[`write ${HOME}/.zshrc`, `make ${HOME}/Library/LaunchAgents/x.plist`, `make ${HOME}/bin/git`],
    ...["write /etc/hosts", "make /usr/local/bin/x", `make ${HOME}/.npm/x`, `remove ${HOME}/.ssh`],
    ...[
      `link ${HOME}/.netrc`,
      `link ${APP}/.env`,
      `link ${APP}/a.txt`,
      `clone ${APP}/packages`,
      `clone ${HOME}`,
    ],
    ...[`make ${HOME}/.SSH/x`, `remove ${HOME}`, "remove /Users", `remove ${APP}`, `make ${APP}`],
  ],
};

const inWork = {
  allowed: [
    ...[`write ${APP}/a.txt`, `make ${APP}/new/file`, `remove ${APP}/a.txt`, `change ${APP}/a.txt`],
    ...[`make ${APP}/.git/index.lock`, `remove ${APP}/.git/index`, `make ${APP}/.git/objects/ab/cd`],
    ...[`make ${APP}/packages/web/dist/x`, `remove ${APP}/packages/api`, `make ${APP}/packages/api/.vscode`],
    ...[`make ${APP}/packages/api/AGENTS.md`, `make ${APP}/AGENTS.md.orig`, `make ${APP}/.idea2`],
    ...[
      `make ${APP}/.gitx/hooks`,
      `write ${CACHES}/npm/x`,
      `make ${CACHES}/go-build`,
      `make ${APP}/.env.example`,
    ],
    ...[`make ${APP}/vscode`, `remove ${APP}/docs/other.md`, `make ${APP}/node_modules/x/.vscode`],
  ],
  denied: [
    ...[
      `write ${APP}/AGENTS.md`,
      `remove ${APP}/AGENTS.md`,
      `make ${APP}/AGENTS.md`,
      `make ${APP}/agents.MD`,
    ],
    ...[
      `write ${APP}/.vscode/settings.json`,
      `make ${APP}/.vscode/tasks.json`,
      `make ${APP}/.VSCode/tasks.json`,
    ],
    ...[
      `remove ${APP}/.vscode`,
      `make ${APP}/.vscode`,
      `remove ${APP}/.github`,
      `make ${APP}/.github/workflows/x`,
    ],
    ...[
      `write ${APP}/.git/hooks/pre-commit`,
      `make ${APP}/.git/hooks/pre-commit`,
      `remove ${APP}/.git/hooks`,
    ],
    ...[
      `write ${APP}/.git/config`,
      `make ${APP}/.git/config`,
      `make ${APP}/.git/CONFIG`,
      `remove ${APP}/.git/config`,
    ],
    ...[`remove ${APP}/.git`, `make ${APP}/.git`, `make ${APP}/.git/commondir`, `make ${APP}/.git/CommonDir`],
    ...[
      `make ${APP}/.idea`,
      `make ${APP}/.IDEA`,
      `make ${APP}/.idea/workspace.xml`,
      `make ${APP}/.nekode/rules`,
    ],
    ...[`make ${APP}/.ne\u212aode`, `make ${APP}/.v\u017fcode`, `make ${APP}/.Nekode`],
    // Folders above what is protected.
    ...[`remove ${APP}/packages`, `remove ${APP}/packages/web`, `make ${APP}/packages`, `remove ${APP}/docs`],
    ...[`change ${APP}/AGENTS.md`, `change ${APP}/.vscode`, `change ${APP}/.git/hooks/pre-commit`],
    ...[`write ${APP}/docs/rules.md`, `remove ${CACHES}`, `link ${APP}/.vscode/settings.json`],
  ],
};

describe("the profile", () => {
  const profiles = { work: seatbeltProfile(TYPICAL), read: seatbeltProfile({ ...TYPICAL, profile: "read" }) };

  it.each(["work", "read"] as const)("%s: allows what both do, and nothing that neither does", (name) => {
    const allows = attempts(profiles[name]);
    expect(inBoth.allowed.filter((what) => !allows(what))).toEqual([]);
    expect(inBoth.denied.filter(allows)).toEqual([]);
  });

  it("work: writes the project, but not what takes effect by itself", () => {
    const allows = attempts(profiles.work);
    expect(inWork.allowed.filter((what) => !allows(what))).toEqual([]);
    expect(inWork.denied.filter(allows)).toEqual([]);
  });

  it("read: writes nothing of the project", () => {
    const allows = attempts(profiles.read);
    expect([...inWork.allowed, ...inWork.denied].filter(allows)).toEqual([]);
  });

  it("comes to what is denied after everything that would allow it", () => {
    const { rules } = readProfile(profiles.work);
    const at = (allows: boolean, operation: string) =>
      rules.flatMap((each, index) =>
        each.allows === allows && each.operations.includes(operation) ? [index] : [],
      );
    for (const operation of ["file-read*", "file-write*"])
      expect(Math.max(...at(false, operation))).toBeGreaterThan(Math.max(...at(true, operation)));
    expect(Math.max(...at(false, "file-write-unlink"))).toBe(rules.length - 1);
    // A rule without a filter would apply to every file.
    const bare = rules.filter((each) => each.filters.length === 0).flatMap((each) => each.operations);
    expect(bare.filter((operation) => operation.startsWith("file-"))).toEqual([
      "file-read*",
      "file-map-executable",
    ]);
    expect(bare.filter((operation) => /network|mach|sysctl|iokit/.test(operation))).toEqual([]);
  });

  it.each<[string, Attempt, boolean]>([
    [
      "a port of this machine",
      { operation: "network-outbound", socket: { end: "remote", ip: "127.0.0.1:80" } },
      false,
    ],
    ["a port of its own", { operation: "network-bind", socket: { end: "local", ip: "127.0.0.1:80" } }, false],
    [
      "containers",
      { operation: "network-outbound", socket: { end: "remote", path: "/private/var/run/docker.sock" } },
      false,
    ],
    [
      "the agent of keys",
      { operation: "network-outbound", socket: { end: "remote", path: "/private/tmp/launchd/Listeners" } },
      false,
    ],
    [
      "the resolver",
      { operation: "network-outbound", socket: { end: "remote", path: "/private/var/run/mDNSResponder" } },
      false,
    ],
    [
      "a socket in the project",
      { operation: "network-outbound", socket: { end: "remote", path: `${APP}/server.sock` } },
      false,
    ],
    [
      "its own socket",
      { operation: "network-outbound", socket: { end: "remote", path: `${OWN}/tmp/s` } },
      true,
    ],
    ["itself by a signal", { operation: "signal", target: "self" }, true],
    ["what it started by a signal", { operation: "signal", target: "same-sandbox" }, true],
    ["another process by a signal", { operation: "signal", target: "others" }, false],
    ["another process's arguments", { operation: "process-info-pidinfo", target: "others" }, false],
    ["its own state", { operation: "process-info-pidinfo", target: "self" }, true],
    [
      "the arguments of processes in the kernel",
      { operation: "sysctl-read", name: "kern.procargs2.1" },
      false,
    ],
    ["the list of processes", { operation: "sysctl-read", name: "kern.proc.all" }, false],
    ["the number of processors", { operation: "sysctl-read", name: "hw.ncpu" }, true],
    ["names of users", { operation: "mach-lookup", name: "com.apple.system.opendirectoryd.libinfo" }, true],
    ["the pasteboard", { operation: "mach-lookup", name: "com.apple.pasteboard.1" }, false],
    ["the keychain", { operation: "mach-lookup", name: "com.apple.SecurityServer" }, false],
    ["which certificates are trusted", { operation: "mach-lookup", name: "com.apple.trustd.agent" }, false],
    ["other applications", { operation: "appleevent-send" }, false],
    ["what starts applications", { operation: "lsopen" }, false],
    ["what starts jobs", { operation: "job-creation" }, false],
    ["a device by its driver", { operation: "iokit-open" }, false],
    [
      "a terminal of its own",
      { operation: "file-read-data", path: "/dev/ttys004", extensions: ["com.apple.sandbox.pty"] },
      true,
    ],
    ["a terminal that it has", { operation: "file-ioctl", path: "/dev/ttys003" }, true],
    ["programs", { operation: "process-exec", path: "/usr/bin/git" }, true],
  ])("reaches %s or not", (_, attempt, isAllowed) => {
    for (const profile of Object.values(profiles)) expect(evaluator(profile)(attempt)).toBe(isAllowed);
  });

  it("with the network reaches ports and names, but no sockets of other programs", () => {
    const allows = evaluator(seatbeltProfile({ ...TYPICAL, network: true }));
    const connects = (to: { ip?: string; path?: string }) =>
      allows({ operation: "network-outbound", socket: { end: "remote", ...to } });
    expect(connects({ ip: "192.0.2.1:443" })).toBe(true);
    expect(connects({ path: "/private/var/run/mDNSResponder" })).toBe(true);
    expect(connects({ path: "/private/var/run/docker.sock" })).toBe(false);
    expect(allows({ operation: "mach-lookup", name: "com.apple.trustd.agent" })).toBe(true);
    expect(allows({ operation: "mach-lookup", name: "com.apple.SecurityServer" })).toBe(false);
  });

  it.each([
    ...[
      'quo"te',
      "back\\slash",
      "end\\",
      "line\nbreak",
      "tab\tand\rreturn",
      "two  spaces",
      "(paren",
      "par)en",
    ],
    ...[
      '") (allow default) ("',
      "a;b",
      "#|x|#",
      "日本語のフォルダー",
      "がぎぐ".normalize("NFD"),
      "Ünï🐈",
      "$HOME",
      "a.b+c*d?[e]{2}^|",
    ],
    ...["x".repeat(250), "漢".repeat(84), '"\\'.repeat(100), "(?i)", "\u2028", "\u00ad"],
  ])("keeps its meaning for a folder that is called %j", (name) => {
    const root = `${HOME}/${name}`;
    const profile = seatbeltProfile({
      ...TYPICAL,
      ...{ folders: [root], hidden: [`${root}/.env`], fixed: [`${root}/${name}`] },
      absent: [{ path: `${root}/.idea` }],
    });
    const { rules, paths } = readProfile(profile);
    expect(rules).toHaveLength(readProfile(seatbeltProfile(TYPICAL)).rules.length);
    for (const file of [root, `${root}/.env`, `${root}/${name}`]) expect(paths).toContain(file);
    const allows = attempts(profile);
    for (const what of [`write ${root}/a`, `read ${root}/a`, `remove ${root}/.ideas`])
      expect(allows(what)).toBe(true);
    const denied = [
      `read ${root}/.env`,
      `make ${root}/.ENV`,
      `write ${root}/${name}/x`,
      `make ${root}/.Idea`,
    ];
    for (const what of [...denied, `make ${root}/${name.toUpperCase()}`, `remove ${root}`, `write ${root}2`])
      expect(allows(what)).toBe(false);
  });

  it("shows a project in a folder of temporary files, and nothing else there", () => {
    const root = "/private/tmp/work/app";
    const allows = attempts(seatbeltProfile({ ...TYPICAL, folders: [root], hidden: [`${root}/.env`] }));
    for (const what of [`read ${root}/a`, "look /private/tmp/work", `write ${root}/a`])
      expect(allows(what)).toBe(true);
    for (const what of [`read ${root}/.env`, "read /private/tmp/work", "read /private/tmp/work/other"])
      expect(allows(what)).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("a command with sandbox-exec", () => {
  async function started(profile: SandboxProfile) {
    const base = await temporaryFolder();
    const [home, project] = [path.join(base, "home"), path.join(base, "project")];
    const write = (name: string) => {
      mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
      writeFileSync(path.join(base, name), "");
    };
    for (const name of [".ssh/id_rsa", ".config/gh/hosts.yml", "Library/Application Support/Google/x"])
      write(`home/${name}`);
    for (const name of ["a.txt", ".env", "packages/app/.env.local", "AGENTS.md", ".vscode/settings.json"])
      write(`project/${name}`);
    execFileSync("git", ["init", "-q", "--template=", project]);
    symlinkSync(path.join(project, "config.txt"), path.join(project, ".env.prod"));
    write("project/config.txt");
    const engine = {
      state: { engine: seatbelt.name, version: "" },
      program: "/usr/bin/sandbox-exec",
      enclose: (rules: FileRules) => seatbelt.enclose("/usr/bin/sandbox-exec", rules),
    };
    const caches = path.join(base, "caches");
    const sandbox = new Sandbox({ environment: process.env, home, own: [], caches, engine });
    expect(await sandbox.state([project])).toEqual({ engine: "sandbox-exec", version: "" });
    const start = await sandbox.start(
      { profile, roots: [project] },
      { PATH: "/usr/bin", SSH_AUTH_SOCK: "/x" },
    );
    return { sandbox, start, home, project, caches };
  }

  it("gets a profile of the project as it is on the disk, and leaves nothing in it", async () => {
    const { sandbox, start, home, project, caches } = await started("work");
    const [flag, file = ""] = start.flags;
    expect([start.program, flag, start.inputs]).toEqual(["/usr/bin/sandbox-exec", "-f", []]);
    expect(start.environment).toMatchObject({ TMPDIR: start.temporary });
    expect(start.environment.SSH_AUTH_SOCK).toBeUndefined();
    const allows = attempts(readFileSync(file, "utf8"));
    const allowed = [
      `write ${project}/a.txt`,
      `make ${project}/.git/index`,
      `make ${project}/.git/objects/aa`,
    ];
    for (const what of [
      ...allowed,
      `make ${start.temporary}/x`,
      `make ${start.environment.XDG_CACHE_HOME}/x`,
    ])
      expect([what, allows(what)]).toEqual([what, true]);
    const hidden = [
      `${home}/.ssh/id_rsa`,
      `${home}/.config/gh/hosts.yml`,
      `${project}/.env`,
      `${project}/config.txt`,
    ];
    const denied = [
      ...[...hidden, `${home}/Library/Application Support/Google/x`].map((each) => `read ${each}`),
      ...[".git/config", "AGENTS.md", ".vscode/settings.json"].map((name) => `write ${project}/${name}`),
      // Git made none: there are no templates.
      ...[".git/hooks", ".git/hooks/pre-commit", ".git/commondir", ".idea", ".nekode"].map(
        (name) => `make ${project}/${name}`,
      ),
      ...["packages", "packages/app", ".git", ""].map((name) => `remove ${path.join(project, name)}`),
      `remove ${caches}`,
    ];
    for (const what of denied) expect([what, allows(what)]).toEqual([what, false]);
    for (const name of [".idea", ".nekode", ".git/hooks", ".git/commondir"])
      expect(existsSync(path.join(project, name))).toBe(false);
    start.release();
    expect(existsSync(file)).toBe(false);
    sandbox.dispose();
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it("that only reads has no place to write but its temporary folder", async () => {
    const { sandbox, start, project } = await started("read");
    const allows = attempts(readFileSync(start.flags[1] ?? "", "utf8"));
    expect(allows(`read ${project}/a.txt`)).toBe(true);
    expect(allows(`read ${project}/.env`)).toBe(false);
    for (const what of [`write ${project}/a.txt`, `make ${project}/x`, `remove ${project}/a.txt`])
      expect(allows(what)).toBe(false);
    expect(allows(`make ${start.temporary}/x`)).toBe(true);
    sandbox.dispose();
  });
});
