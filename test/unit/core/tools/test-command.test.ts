/** The command that runs a project's tests: what the manifests say for certain, and a refusal for everything else. */
import { describe, expect, it } from "vitest";
import type { ShellKind } from "../../../../src/core/ports/shell.ts";
import { testCommand } from "../../../../src/core/tools/tests/test-command.ts";
import { memoryHost } from "../../../support/memory-host.ts";

interface Wish {
  path?: string;
  name?: string;
  shell?: ShellKind;
}

/** The command for a file, a folder or all; or, after "! ", why there is none. */
async function commandFor(files: Record<string, string>, { path = "", name, shell = "bash" }: Wish = {}) {
  const { host } = memoryHost({ files });
  host.shell = { ...host.shell, kind: shell };
  const target = path === "" ? "/project" : `/project/${path}`;
  const isFolder = (await host.files.stat(target))?.kind === "directory";
  const found = await testCommand(host, { path: target, isFolder, name });
  return "command" in found ? found.command : `! ${found.refusal}`;
}

const npm = (test: string, more: object = {}) => JSON.stringify({ scripts: { test }, ...more });
const PYTEST = "[tool.pytest.ini_options]\n";

describe("the command for all tests", () => {
  it.each<[what: string, files: Record<string, string>, command: string]>([
    ["npm", { "package.json": npm("node run.js && echo done") }, "npm test"],
    [
      "npm by its name in the manifest",
      { "package.json": npm("jest", { packageManager: "npm@10.0.0" }), "yarn.lock": "" },
      "npm test",
    ],
    ["pnpm", { "package.json": npm("jest"), "pnpm-lock.yaml": "" }, "pnpm test"],
    ["yarn", { "package.json": npm("jest"), "yarn.lock": "" }, "yarn test"],
    ["bun", { "package.json": npm("jest"), "bun.lock": "" }, "bun run test"],
    ["a watcher, which ends", { "package.json": npm("vitest") }, "npm test -- --run"],
    ["a watcher of yarn", { "package.json": npm("vitest"), "yarn.lock": "" }, "yarn test --run"],
    ["pytest", { "pyproject.toml": PYTEST }, "pytest"],
    ["pytest of uv", { "pyproject.toml": PYTEST, "uv.lock": "" }, "uv run pytest"],
    [
      "pytest of the project's environment",
      { "conftest.py": "", ".venv/bin/python": "" },
      ".venv/bin/python -m pytest",
    ],
    ["Cargo", { "Cargo.toml": "[package]\n" }, "cargo test"],
    ["a workspace of Cargo", { "Cargo.toml": "[workspace]\n" }, "cargo test --workspace"],
    ["Go", { "go.mod": "module x\n" }, "go test ./..."],
    ["Maven with its wrapper", { "pom.xml": "<project/>", mvnw: "" }, "./mvnw test"],
    ["Maven", { "pom.xml": "<project/>" }, "mvn test"],
    [
      "Gradle with its wrapper",
      { "build.gradle.kts": 'plugins { kotlin("jvm") }', gradlew: "" },
      "./gradlew test",
    ],
  ])("is that of %s", async (_, files, command) => {
    expect(await commandFor(files)).toBe(command);
  });

  it.each<[what: string, files: Record<string, string>]>([
    ["has no manifest", { "readme.md": "npm test" }],
    ["has a script that npm made", { "package.json": npm('echo "Error: no test specified" && exit 1') }],
    ["has a manifest that is no JSON", { "package.json": "{" }],
    ["has a build without tests", { "build.gradle": "plugins { id 'base' }", gradlew: "" }],
    ["has Gradle without its wrapper", { "build.gradle": "plugins { id 'java' }" }],
    ["does not mention pytest", { "pyproject.toml": "[project]\n" }],
  ])("is refused where the project %s", async (_, files) => {
    expect(await commandFor(files)).toMatch(/^! No manifest here tells how the tests run/);
  });

  it("is refused where there are several, but a file decides", async () => {
    const files = { "package.json": npm("jest"), "pyproject.toml": PYTEST, "test_a.py": "", "a.test.js": "" };
    expect(await commandFor(files)).toBe(
      "! Several kinds of tests are here: npm test or pytest. Name a file, or use execute_command.",
    );
    expect(await commandFor(files, { path: "test_a.py" })).toBe("pytest test_a.py");
    expect(await commandFor(files, { path: "a.test.js" })).toBe("npm test -- a.test.js");
  });
});

describe("the command for some tests", () => {
  const jest = { "package.json": npm("jest --ci"), "test/a b.test.js": "", "test/-x.test.js": "" };
  const rust = { "Cargo.toml": "[package]\n", "tests/shop.rs": "", "src/lib.rs": "" };
  const go = { "go.mod": "module x\n", "shop/cart_test.go": "" };
  const python = { "pyproject.toml": PYTEST, "tests/test_a.py": "" };
  const maven = { "pom.xml": "<project/>", "src/test/java/shop/CartTest.java": "" };
  it.each<[files: Record<string, string>, wish: Wish, command: string]>([
    [jest, { path: "test" }, "npm test -- test"],
    [jest, { path: "test/a b.test.js" }, "npm test -- 'test/a b.test.js'"],
    [
      jest,
      { path: "test/-x.test.js", name: "it's $HOME" },
      `npm test -- test/-x.test.js -t 'it'\\''s $HOME'`,
    ],
    [jest, { name: "adds; rm -rf ~", shell: "powershell" }, "npm test -- -t 'adds; rm -rf ~'"],
    [
      { "package.json": npm("node --test"), "a.test.js": "" },
      { path: "a.test.js", name: "adds" },
      "npm test -- a.test.js --test-name-pattern=adds",
    ],
    [{ ...jest, "pnpm-lock.yaml": "" }, { path: "test" }, "pnpm test test"],
    [python, { path: "tests/test_a.py" }, "pytest tests/test_a.py"],
    [
      python,
      { path: "tests/test_a.py", name: "TestCart > test_sum" },
      "pytest tests/test_a.py::TestCart::test_sum",
    ],
    [python, { path: "tests", name: "test_sum" }, "pytest tests -k test_sum"],
    [rust, { path: "tests/shop.rs", name: "adds" }, "cargo test --test shop adds"],
    [rust, { name: "cart::adds" }, "cargo test cart::adds"],
    [go, { path: "shop/cart_test.go", name: "TestSum" }, "go test -run '^TestSum$' ./shop"],
    [go, { path: "shop" }, "go test ./shop/..."],
    [maven, { path: "src/test/java/shop/CartTest.java", name: "adds" }, "mvn test '-Dtest=CartTest#adds'"],
  ])("is exact: %#", async (files, wish, command) => {
    expect(await commandFor(files, wish)).toBe(command);
  });

  it("is that of the nearest manifest, which runs in its folder", async () => {
    const files = {
      "package.json": npm("turbo test"),
      "pnpm-lock.yaml": "",
      "packages/shop/package.json": npm("vitest run"),
      "packages/shop/src/cart.test.ts": "",
      "packages/shop/src/cart.ts": "",
      "crates/shop/Cargo.toml": "[package]\n",
      "crates/shop/src/lib.rs": "",
      "py/pytest.ini": "",
      "py/tests/test_a.py": "",
    };
    expect(await commandFor(files, { path: "packages/shop/src/cart.test.ts" })).toBe(
      "pnpm -C packages/shop test src/cart.test.ts",
    );
    expect(await commandFor(files, { path: "packages/shop" })).toBe("pnpm -C packages/shop test");
    expect(await commandFor(files, { path: "crates/shop" })).toBe(
      "cargo test --manifest-path crates/shop/Cargo.toml",
    );
    expect(await commandFor(files, { path: "py/tests/test_a.py" })).toBe("pytest py/tests/test_a.py");
    expect(await commandFor(files)).toBe("pnpm test");
  });

  it.each<[what: string, files: Record<string, string>, wish: Wish]>([
    [
      "a script that names files itself",
      { "package.json": npm("jest src"), "a.test.js": "" },
      { path: "a.test.js" },
    ],
    [
      "a script of several commands",
      { "package.json": npm("tsc && jest"), "a.test.js": "" },
      { path: "a.test.js" },
    ],
    ["a unit of Rust", rust, { path: "src/lib.rs" }],
    ["an expression for pytest", python, { name: "a or b" }],
    ["a folder of Maven", maven, { path: "src/test" }],
  ])("is refused for %s", async (_, files, wish) => {
    expect(await commandFor(files, wish)).toMatch(/how to run only these is not certain/);
  });

  it("never takes a name for an option", async () => {
    expect(await commandFor(rust, { name: "--config=x" })).toMatch(
      /^! The name of a test cannot begin with -/,
    );
    expect(
      await commandFor({ "package.json": npm("jest"), "-rf/a.test.js": "" }, { path: "-rf/a.test.js" }),
    ).toBe("npm test -- ./-rf/a.test.js");
  });

  it("is refused where the shell cannot take it as a word", async () => {
    expect(await commandFor(jest, { name: "100%", shell: "cmd" })).toMatch(/cannot be written as a word/);
    expect(await commandFor(jest, { name: "a\nb" })).toMatch(/cannot be written as a word/);
  });
});
