/** A computer with a policy of the administrator: programs run in a mount namespace in which the policy is at its real path. */
import { spawn } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { POLICY_FILE } from "../../src/node/policy/machine-policy.ts";

const ETC = ["passwd", "group", "ssl", "alternatives", "ld.so.cache", "hosts", "resolv.conf"];

export const hasNamespaces = process.platform === "linux" && existsSync("/usr/bin/bwrap");

/** The arguments of bwrap before the program's own. `policy`: the file that is mounted. */
function sandboxArguments(policy: string, cwd: string): string[] {
  const root = readdirSync("/").filter((name) => !["etc", "proc", "dev", "tmp"].includes(name));
  return [
    // The user is the administrator there, so that whoever runs the test owns the policy as root does.
    ...["--unshare-user", "--uid", "0", "--gid", "0", "--die-with-parent"],
    ...root.flatMap((name) =>
      lstatSync(`/${name}`).isSymbolicLink()
        ? ["--symlink", readlinkSync(`/${name}`), `/${name}`]
        : ["--bind", `/${name}`, `/${name}`],
    ),
    // The whole of the computer's own /proc: below one of its own, the kernel lets Nekode's sandbox mount none.
    ...["--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--bind", "/tmp", "/tmp"],
    ...ETC.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...["--dir", path.dirname(POLICY_FILE), "--ro-bind", policy, POLICY_FILE, "--chdir", cwd],
  ];
}

/** What comes before a command so that it runs where the file `policy` is the policy of the computer. */
export function managedPrefix(policy: string, cwd: string): string[] {
  return ["/usr/bin/bwrap", ...sandboxArguments(policy, cwd)];
}

/** Starts this program where `policy`, written to `file`, is the policy of the computer. */
export async function startManaged(
  policy: string,
  file: string,
  { command, cwd, env }: { command: readonly string[]; cwd: string; env: Record<string, string> },
) {
  await writeFile(file, policy, { mode: 0o644 });
  const [program = "", ...args] = managedPrefix(file, cwd);
  return spawn(program, [...args, ...command], { cwd, env });
}
