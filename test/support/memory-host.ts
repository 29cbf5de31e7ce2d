/** A host in memory, for tests of core: the real behavior of each port, without disk or processes. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isStoppedByUser, ToolError } from "../../src/core/errors.ts";
import { UnseenRules } from "../../src/core/instructions/unseen-rules.ts";
import type { AdminPolicy } from "../../src/core/policy/admin-policy.ts";
import type { Browsers } from "../../src/core/ports/browser.ts";
import type { Preview, Saved } from "../../src/core/ports/editor.ts";
import type { FileStat, TextFile } from "../../src/core/ports/files.ts";
import type { Host } from "../../src/core/ports/host.ts";
import type { ProgramEnd, ProgramRun } from "../../src/core/ports/programs.ts";
import type { SandboxPlace } from "../../src/core/ports/sandbox.ts";
import type { Clock } from "../../src/core/ports/system.ts";
import { systemClock } from "../../src/node/clock.ts";

const ROOT = "/project";
const packages = path.join(import.meta.dirname, "../../node_modules");

export interface MemoryHost {
  host: Host;
  /** Absolute path to text. */
  files: Map<string, string>;
  /** Text last shown in a preview, by path; undefined after it was saved or discarded. */
  shown: Map<string, string>;
  /** The user's edits to the proposal before approval, by path. */
  userEdits: Map<string, string>;
  commands: string[];
  logged: string[];
}

export interface MemoryOptions {
  files?: Record<string, string>;
  /** Simulates a command: its output and its exit code. */
  run?: (
    command: string,
    signal: AbortSignal,
    onOutput: (text: string) => void,
    sandbox: SandboxPlace | undefined,
  ) => Promise<number>;
  /** Default: there is none. */
  hasSandbox?: boolean;
  /** What a command in the sandbox made that takes effect by itself, absolute. Default: nothing. */
  made?: (command: string) => readonly string[];
  /** Simulates a program; what it does not return is that of one that prints nothing and succeeds. Default: running one fails. */
  runProgram?: (run: ProgramRun) => Promise<Partial<ProgramEnd>>;
  noWorkspace?: boolean;
  /** Default: the host has no browser. */
  browser?: Browsers;
  /** Default: the system's. */
  clock?: Clock;
  /** The administrator's. Default: there is none. */
  policy?: AdminPolicy;
}

export function memoryHost(options: MemoryOptions = {}): MemoryHost {
  const files = new Map(
    Object.entries(options.files ?? {}).map(([name, text]) => [path.join(ROOT, name), text]),
  );
  const versions = new Map<string, number>();
  const shown = new Map<string, string>();
  const userEdits = new Map<string, string>();
  const commands: string[] = [];
  const logged: string[] = [];
  let ids = 0;
  const versionOf = (file: string) => `${versions.get(file) ?? 0}:${files.get(file)?.length ?? 0}`;
  const isFolder = (target: string) =>
    target === ROOT || [...files.keys()].some((name) => name.startsWith(`${target}/`));
  const below = (folder: string) =>
    [...files.keys()]
      .filter((name) => name.startsWith(`${folder}/`))
      .map((name) => name.slice(folder.length + 1));

  const stat = async (target: string): Promise<FileStat | undefined> => {
    const text = files.get(target);
    if (text !== undefined) return { kind: "file", size: text.length, version: versionOf(target) };
    return isFolder(target) ? { kind: "directory", size: 0, version: "" } : undefined;
  };

  function preview(target: string, original: TextFile | null): Preview {
    let proposal = original?.text ?? "";
    return {
      update: (text) => void shown.set(target, text),
      async finish(text) {
        proposal = text;
        shown.set(target, text);
      },
      async save(chosen?: string): Promise<Saved> {
        const current = files.has(target) ? versionOf(target) : null;
        if (current !== (original?.version ?? null))
          throw new ToolError(`${target} changed meanwhile. Nothing was written.`);
        const edited = userEdits.get(target) ?? chosen;
        const text = edited ?? proposal;
        files.set(target, text);
        versions.set(target, (versions.get(target) ?? 0) + 1);
        shown.delete(target);
        return {
          finalText: text,
          encoding: "utf8",
          newProblems: [],
          ...(edited === undefined ? {} : { userText: edited }),
        };
      },
      async discard() {
        shown.delete(target);
      },
      isEdited: () => userEdits.has(target),
      choose(text) {
        if (!userEdits.has(target)) shown.set(target, text);
      },
    };
  }

  const host: Host = {
    policy: options.policy,
    ...(options.browser ? { browser: options.browser } : {}),
    files: {
      stat,
      async realpath(target) {
        if (await stat(target)) return target;
        throw Object.assign(new Error(`ENOENT: ${target}`), { code: "ENOENT" });
      },
      async readlink(target) {
        throw Object.assign(new Error(`EINVAL: ${target}`), { code: "EINVAL" });
      },
      async readBytes(target) {
        return new TextEncoder().encode(files.get(target) ?? "");
      },
      async readSmall(targets, limit) {
        const texts = targets.map((target) => files.get(target));
        return texts.map((text) =>
          text !== undefined && text.length <= limit ? text || undefined : undefined,
        );
      },
      async readText(target) {
        const text = files.get(target);
        if (text === undefined) throw new ToolError(`There is no file at ${target}.`);
        return { text, encoding: "utf8", bom: false, version: versionOf(target) };
      },
      async list(target) {
        const names = new Map<string, FileStat["kind"]>();
        for (const name of below(target)) {
          const [head = "", ...rest] = name.split("/");
          names.set(head, rest.length > 0 ? "directory" : "file");
        }
        return [...names].map(([name, kind]) => ({ name, kind }));
      },
    },
    editor: {
      preview,
      async remove(target, { version }) {
        if (!files.has(target) || versionOf(target) !== version)
          throw new ToolError(`${target} changed meanwhile. Nothing was removed.`);
        files.delete(target);
      },
      async rename(target, to, { version }) {
        const text = files.get(target);
        if (text === undefined || versionOf(target) !== version || files.has(to))
          throw new ToolError(`${target} or ${to} changed meanwhile. Nothing was moved.`);
        files.delete(target);
        files.set(to, text);
      },
    },
    documents: {
      extract: async (bytes, kind) => `# ${kind}\n\n${new TextDecoder().decode(bytes).slice(0, 100)}`,
    },
    shell: {
      kind: "bash",
      path: "/bin/bash",
      async run(command, { signal, onOutput, sandbox }) {
        commands.push(command);
        const exitCode = (await options.run?.(command, signal, onOutput, sandbox)) ?? 0;
        const stop = isStoppedByUser(signal) ? { stoppedByUser: true } : {};
        const made = (sandbox && options.made?.(command)) ?? [];
        return { exitCode, signal: null, durationMs: 5, ...stop, ...(made.length > 0 ? { made } : {}) };
      },
      ...(options.hasSandbox
        ? { sandbox: async () => ({ engine: "bubblewrap" as const, version: "1" }) }
        : {}),
      terminals: () => [],
      readTerminal: async () => undefined,
      background: () => [],
      end: async () => undefined,
      dispose: () => undefined,
    },
    programs: {
      async run(run) {
        if (!options.runProgram)
          throw new Error(`This host runs no programs, but ${run.program} was to run.`);
        const silence = { bytes: new Uint8Array(), dropped: 0 };
        const end = await options.runProgram(run);
        return { exitCode: 0, signal: null, durationMs: 5, stdout: silence, stderr: silence, ...end };
      },
    },
    search: {
      async grep(folder, { regex }) {
        const hits = below(folder).flatMap((name) => {
          const lines = (files.get(path.join(folder, name)) ?? "").split("\n");
          const matched = lines
            .map((text, index) => ({ number: index + 1, text, match: true }))
            .filter((line) => new RegExp(regex).test(line.text));
          return matched.length > 0 ? [{ path: name, lines: matched }] : [];
        });
        return { hits, matches: hits.reduce((sum, hit) => sum + hit.lines.length, 0), more: false };
      },
      async files(folder, { limit, name }) {
        const paths = below(folder)
          .filter((file) => name === undefined || path.basename(file) === name)
          .sort();
        return { paths: paths.slice(0, limit), more: paths.length > limit };
      },
    },
    surroundings: {
      hostName: "Visual Studio Code",
      visibleFiles: () => [...files.keys()].slice(0, 1).map((name) => path.relative(ROOT, name)),
      openTabs: () => [],
      recentlyModified: () => [],
      cliTools: async () => ["git", "node"],
    },
    unseen: new UnseenRules(),
    workspace: {
      root: options.noWorkspace ? undefined : ROOT,
      roots: options.noWorkspace ? [] : [{ name: "project", path: ROOT }],
      trusted: true,
    },
    system: { os: "Linux", platform: "linux", home: "/home/person", timeZone: "Asia/Tokyo", locale: "ja-JP" },
    assets: { read: (name) => readFile(assetPath(name)) },
    clock: options.clock ?? systemClock,
    log: { info: () => undefined, error: (text, cause) => void logged.push(`${text}: ${String(cause)}`) },
    newId: () => `id-${++ids}`,
  };
  return { host, files, shown, userEdits, commands, logged };
}

function assetPath(name: string): string {
  return name === "sql-wasm.wasm"
    ? path.join(packages, "sql.js/dist", name)
    : path.join(packages, "@vscode/tree-sitter-wasm/wasm", name);
}
