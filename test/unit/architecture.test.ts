/** The rules of the house: imports point downward, core sees the world through its ports, only src/vscode knows VS Code. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const repository = path.join(import.meta.dirname, "../..");

const RANKS: Record<string, number> = {
  "src/shared": 0,
  "src/core": 1,
  "src/core/assistant": 2,
  "src/core/edits": 2,
  "src/core/provider": 2,
  "src/core/safety": 2,
  "src/core/sessions": 2,
  "src/core/checkpoints": 2,
  "src/core/servers": 2,
  // It judges paths by core/safety.
  "src/core/instructions": 2.5,
  // It reads its files with the readers of servers' files.
  "src/core/language-servers": 2.5,
  // It refuses the characters that core/safety refuses.
  "src/core/memory": 2.5,
  "src/core/context": 3,
  "src/core/tools": 3,
  // It names calls as other agents do, and finds the files that a command runs.
  "src/core/hooks": 3.5,
  // It lists what plugins add with the readers of hooks, servers, skills and commands.
  "src/core/plugins": 3.6,
  // It makes entries of servers, agents and lists of commands.
  "src/core/foreign-settings": 3.6,
  "src/core/prompts": 4,
  "src/core/window": 4,
  "src/core/loop": 5,
  "src/core/agent": 6,
  "src/node": 7,
  "src/vscode": 8,
  "src/cli": 8,
  "src/acp": 8,
  "src/batch": 8,
  "webview-ui": 8,
};

/** Files that name what a folder offers, and so stand above its rooms; and the program, which chooses between its rooms. */
const FACES: Record<string, number> = {
  "src/core/index.ts": 6.5,
  "src/cli/main.ts": 8.5,
  "src/cli/batch/batch-commands.ts": 8.5,
};

/** What these modules remember for good gives the same at any time and for anybody, and why it is kept. */
const MEMOS: Record<string, string> = {
  "src/core/safety/shells/grammar.ts": "the parsers' runtime, of which a process can have one",
  "src/core/sessions/db/database.ts": "SQLite's code, compiled once",
  "src/core/tools/definitions/outline.ts": "a language's query, compiled once",
  "src/core/safety/commands/prefixes.ts": "the words of an entry of a list",
};

interface Import {
  file: string;
  target: string;
}

function sources(folder: string): string[] {
  return readdirSync(path.join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name)));
}

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(path.join(repository, file), "utf8");
  texts.set(file, text);
  return text;
}

function importsOf(file: string): Import[] {
  const text = textOf(file);
  const found = text.matchAll(
    /^(?:import|export)\s(?:[\w*\s{},]*?\sfrom\s)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm,
  );
  return [...found].map((match) => ({ file, target: match[1] ?? match[2] ?? "" }));
}

/** Names in comments that are examples of what users have. */
const EXAMPLES = new Set(["file.ts", "vite.config.ts", "extHostTerminalShellIntegration.ts"]);

const files = [...sources("src"), ...sources("webview-ui")];
const imports = files.flatMap(importsOf);

function groupBy(items: readonly string[], key: (item: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** Files of ours that a file imports. */
function importedBy(file: string): string[] {
  return imports
    .filter((each) => each.file === file && each.target.startsWith("."))
    .map(({ target }) => path.join(path.dirname(file), target))
    .filter((target) => files.includes(target));
}

/** The same without types, and without what loads on demand. */
function staticallyImportedBy(file: string): string[] {
  const code = textOf(file);
  return [...code.matchAll(/^(?:import|export) (?!type )[^"']*?from\s+["'](\.[^"']+)["']/gm)]
    .map(([, target = ""]) => path.join(path.dirname(file), target))
    .filter((target) => files.includes(target));
}

/** The longest listed folder that holds the file. */
function room(file: string): string {
  const folders = Object.keys(RANKS).filter((folder) => file.startsWith(`${folder}/`));
  return folders.sort((a, b) => b.length - a.length)[0] ?? "";
}

function rank(file: string): number {
  return FACES[file] ?? RANKS[room(file)] ?? Number.NaN;
}

describe("the house", () => {
  it("has files to look at", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(files.length);
    expect(files.filter((file) => Number.isNaN(rank(file)))).toEqual([]);
  });

  it("imports point to a lower rank or stay in their room", () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith("."))
      .map(({ file, target }) => ({ file, target: path.join(path.dirname(file), target) }))
      .filter(({ target }) => files.includes(target))
      .filter(({ file, target }) => room(file) !== room(target) && rank(target) >= rank(file));
    expect(wrong).toEqual([]);
  });

  it("the webview imports src/shared and nothing else of src", () => {
    const wrong = imports.filter(({ file, target }) => {
      const resolved = path.join(path.dirname(file), target);
      return (
        file.startsWith("webview-ui/") &&
        target.startsWith(".") &&
        resolved.startsWith("src/") &&
        !resolved.startsWith("src/shared/")
      );
    });
    expect(wrong).toEqual([]);
  });

  it("only src/vscode imports vscode", () => {
    const wrong = imports.filter(
      ({ file, target }) => target === "vscode" && !file.startsWith("src/vscode/"),
    );
    expect(wrong).toEqual([]);
  });

  it("the bundle that loads at activation recognizes no error of the agent by its class, which is another one in the agent's bundle", () => {
    const bundle = new Set(["src/vscode/extension.ts"]);
    // A set's iteration includes what is added meanwhile.
    for (const file of bundle) for (const target of staticallyImportedBy(file)) bundle.add(target);
    expect(bundle.size).toBeGreaterThan(20);
    expect(bundle).not.toContain("src/vscode/services.ts");
    const wrong = [...bundle]
      .filter((file) => file.startsWith("src/vscode/"))
      .flatMap((file) => {
        const code = textOf(file);
        const ours = [...code.matchAll(/^import \{([^}]*)\} from "[^"]*\/(?:core|node)\//gm)].join();
        return [...code.matchAll(/instanceof (\w+)/g)]
          .filter(([, name]) => new RegExp(`\\b${name}\\b`).test(ours))
          .map(([found]) => `${file}: ${found}`);
      });
    expect(wrong).toEqual([]);
  });

  it("core and shared import no node: module but node:path", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        /^src\/(core|shared)\//.test(file) && target.startsWith("node:") && target !== "node:path",
    );
    expect(wrong).toEqual([]);
  });

  it("a module of core or shared remembers nothing but what is of an object that it was given", () => {
    const wrong = files
      .filter((file) => /^src\/(core|shared)\//.test(file) && !(file in MEMOS))
      .flatMap((file) => {
        const text = textOf(file);
        const kept = /^(?:export )?(?:let \w+|const \w+ = (?:new (?:Map|Set)(?:<.*>)?\(\)|\[\]|\{\});).*$/gm;
        return [...text.matchAll(kept)].map(([line]) => `${file}: ${line}`);
      });
    expect(wrong).toEqual([]);
  });

  it("no module loads tables of Unicode or of locales before something needs them", () => {
    const wrong = files
      .filter((file) => file.startsWith("src/"))
      .flatMap((file) => {
        const loaded = /^(?:export )?const \w+(?:: \S+)? =\s+(?:new Intl\.|\/.*\\p\{).*$/gm;
        return [...textOf(file).matchAll(loaded)].map(([line]) => `${file}: ${line}`);
      });
    expect(wrong).toEqual([]);
  });

  it("shared imports zod and nothing else", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        file.startsWith("src/shared/") && !target.startsWith(".") && target !== "zod/mini",
    );
    expect(wrong).toEqual([]);
  });

  it("schemas are written with zod/mini, by way of one file that shares equal ones, imported as a namespace: anything else loads 60 KB more, or its fifty languages", () => {
    // The program that the second one shows to models has imports of its own.
    const others = ["src/shared/zod.ts", "src/core/tools/servers/load-mcp-documentation.ts"];
    const wrong = imports
      .filter(({ file, target }) => /^zod(?:\/mini)?$/.test(target) && !others.includes(file))
      .map(({ file }) => file);
    const named = files.filter((file) => /^import (?:type )?\{.* from ".*\/zod\.ts";$/m.test(textOf(file)));
    expect([...wrong, ...named]).toEqual([]);
  });

  it("only the panel's toolkit folder imports the toolkit", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        target.startsWith("@vscode/webview-ui-toolkit") && !file.startsWith("webview-ui/toolkit/"),
    );
    expect(wrong).toEqual([]);
  });

  it("no file imports itself through others, types included", () => {
    const next = new Map(files.map((file) => [file, importedBy(file)]));
    const circles = files.filter((file) => {
      const seen = new Set<string>();
      const open = [...(next.get(file) ?? [])];
      for (let each = open.pop(); each !== undefined; each = open.pop()) {
        if (seen.has(each)) continue;
        seen.add(each);
        open.push(...(next.get(each) ?? []));
      }
      return seen.has(file);
    });
    expect(circles).toEqual([]);
  });

  it("each file of src has a name of its own", () => {
    const named = files.filter((file) => file.startsWith("src/") && path.basename(file) !== "index.ts");
    expect([...groupBy(named, path.basename).values()].filter((same) => same.length > 1)).toEqual([]);
  });

  it("an exported name has one meaning: one file declares it", () => {
    // The library's entry gives its functions the names of those that they wrap.
    const declaring = files.filter((file) => file !== "src/core/index.ts");
    const declared = new Map<string, Set<string>>();
    for (const file of declaring) {
      const names = textOf(file).matchAll(
        /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm,
      );
      for (const [, name = ""] of names) declared.set(name, (declared.get(name) ?? new Set()).add(file));
    }
    expect(declared.size).toBeGreaterThan(3_000);
    expect([...declared].filter(([, where]) => where.size > 1)).toEqual([]);
  });

  it("constants with a fixed value are CONSTANT_CASE, and private members are #private", () => {
    const wrong = files.flatMap((file) => {
      const text = textOf(file);
      const constants = text.match(
        /^(?:export )?const [a-z]\w*(?:: \w+)? = (?:-?\d[\d_]*|"[^"]*"|\/(?![/*]).+\/[a-z]*);$/gm,
      );
      const members = text.match(/^ +private (?!constructor\b).*$/gm);
      return [...(constants ?? []), ...(members ?? [])].map((line) => `${file}: ${line.trim()}`);
    });
    expect(wrong).toEqual([]);
  });

  it("a comment that names a file names one that exists", () => {
    const names = new Set([...files, ...sources("test")].map((file) => path.basename(file)));
    const wrong = files.flatMap((file) => {
      const comments = textOf(file).match(/\/\*\*?[\s\S]*?\*\/|\/\/ .*/g);
      const named = (comments ?? []).flatMap((comment) => [...comment.matchAll(/`?([\w./-]+\.tsx?)\b`?/g)]);
      return named
        .map((match) => match[1] ?? "")
        .filter((name) => !EXAMPLES.has(name) && !names.has(path.basename(name)))
        .map((name) => `${file}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("the tests", () => {
  /** Fuzzing and measurements are no part of `npm test`, and the todo app is what a played model writes. */
  const EXEMPT = /^test\/(?:fuzz|bench)\/|^test\/support\/random\.ts$|^test\/model-server\/todo-app\.ts$/;
  const DRAWN = String.raw`(?:Math\.random|Date\.now|performance\.now|random(?:UUID|Bytes|Int|Values))\b`;
  const SEEDS = [
    // A seed of its own.
    new RegExp(String.raw`\bseed\w*\s*[:=][^;]*?${DRAWN}`, "i"),
    new RegExp(String.raw`\b(?:generator|Random)\([^;]*?${DRAWN}`),
    // Choices without any seed.
    /\bMath\.random\b/,
    // The seed that was asked for, by another way than seedOf.
    /\benv(?:\.|\[")NEKODE_\w*SEED\b/,
  ];

  it("draw nothing by chance but from the seed that seedOf gives, so that each run of npm test is the same", () => {
    const tests = sources("test").filter((file) => !EXEMPT.test(file));
    expect(tests.length).toBeGreaterThan(400);
    const wrong = tests.flatMap((file) =>
      SEEDS.flatMap((pattern) =>
        (textOf(file).match(pattern) ?? []).slice(0, 1).map((found) => `${file}: ${found}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("take fast-check from test/support/property.ts, which gives it that seed", () => {
    const direct = sources("test").filter((file) =>
      importsOf(file).some(({ target }) => target === "fast-check"),
    );
    expect(direct).toEqual(["test/support/property.ts"]);
  });
});
