/**
 * Runs git by shells that stay: Node waits in its only thread until a process that it starts has begun, which on a busy
 * machine takes longer than git itself.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { runGit } from "../../src/node/git/git-process.ts";
import { quoted } from "./git-words.ts";

/**
 * Every git gets two gigabytes and two seconds of computing, where the system can set such limits: in a history that
 * replaced commits lead around in circles some commands would take all memory that there is. A shell that stays counts its own
 * computing, and sets no limits for itself.
 */
export const LIMITS = "ulimit -v 2000000 2>/dev/null; ulimit -t 2 2>/dev/null";

export interface GitRunner {
  run: typeof runGit;
  /** Answers are kept until then, as if nothing changed. */
  forget(): void;
  end(): void;
}

export function gitRunner(): GitRunner {
  const known = new Map<string, Promise<Buffer>>();
  const shells = new Map<string, Shell[]>();
  return {
    run(program, args, env, cwd, { input } = {}) {
      const environment = JSON.stringify(env);
      const words = [program, ...args].map(quoted).join(" ");
      // A shell adds the last line's end by itself.
      const lines = Buffer.from(input ?? "")
        .toString()
        .replace(/\n$/, "");
      const given = input === undefined ? "</dev/null" : `<<< ${quoted(lines)}`;
      const key = [environment, cwd, words, given].join("\n");
      const before = known.get(key);
      if (before) return before;
      const idle = shells.get(environment) ?? [];
      shells.set(environment, idle);
      const shell = idle.pop() ?? new Shell(env);
      const answer = shell
        .run(`(${LIMITS}; cd ${quoted(cwd)} && exec ${words}) ${given}`)
        .then(({ code, out, words }) => {
          idle.push(shell);
          const sub = args.find((arg) => /^[a-z]/.test(arg) && !arg.includes("=")) ?? "";
          if (code !== "0") throw new Error(`git ${sub} failed (${code}): ${words.trim()}`);
          return out;
        });
      known.set(key, answer);
      return answer;
    },
    forget: () => known.clear(),
    end: () => {
      for (const shell of [...shells.values()].flat()) shell.end();
    },
  };
}

class Shell {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #mark = `==${randomUUID()}==`;
  #heard = Buffer.alloc(0);
  #told: ((ended: { code: string; out: Buffer; words: string }) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(env: NodeJS.ProcessEnv) {
    this.#child = spawn("bash", ["--norc"], { env, stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#heard = Buffer.concat([this.#heard, chunk]);
      const parts = this.#split();
      if (!parts) return;
      this.#heard = Buffer.alloc(0);
      this.#told?.(parts);
    });
    this.#child.stdin.write("exec 3>&1\n");
    this.#child.once("close", () => this.#failed?.(new Error("the shell that runs git ended")));
  }

  run(command: string): Promise<{ code: string; out: Buffer; words: string }> {
    return new Promise((told, failed) => {
      this.#told = told;
      this.#failed = failed;
      // What git says of errors stands behind the first mark, its code behind the second one.
      this.#child.stdin.write(
        `said=$({ ${command}; } 2>&1 >&3; echo "$?"); printf '%s%s%s' '${this.#mark}' "$said" '${this.#mark}'\n`,
      );
    });
  }

  end(): void {
    this.#child.stdin.end();
  }

  #split(): { code: string; out: Buffer; words: string } | undefined {
    const mark = Buffer.from(this.#mark);
    const first = this.#heard.indexOf(mark);
    const last = this.#heard.lastIndexOf(mark);
    if (first < 0 || first === last) return undefined;
    const said = this.#heard.subarray(first + mark.length, last).toString();
    const [, words = "", code = ""] = /^([\s\S]*?)(\d{1,3})$/.exec(said) ?? [];
    return { code, out: this.#heard.subarray(0, first), words };
  }
}
