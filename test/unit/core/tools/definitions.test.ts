/** What each language's query finds, how members stand, and what is left out. */
import { describe, expect, it } from "vitest";
import { LANGUAGES, languageByName } from "../../../../src/core/tools/definitions/languages.ts";
import { outlineOf } from "../../../../src/core/tools/definitions/outline.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { runTool } from "./run-tool.ts";

const { assets } = memoryHost().host;

async function outline(file: string, source: string): Promise<string[]> {
  const language = languageByName(file);
  if (!language) throw new Error(`no language for ${file}`);
  const found = (await outlineOf(source, language, assets)) ?? [];
  return found.map(
    ({ startLine, endLine, depth, text }) => `${startLine}-${endLine} ${"  ".repeat(depth)}${text}`,
  );
}

const SAMPLES: [file: string, source: string, expected: string[]][] = [
  [
    "a.js",
    "class Cat {\n  meow() {\n    function inner() {}\n    return inner;\n  }\n  purr = () => 1;\n}\nconst f = () => {\n  const g = () => 1;\n};\nexport const limit = 3;\nexports.run = function () {};\nfunction* gen() {}\n",
    [
      "1-7 class Cat",
      "2-5   meow()",
      "6-6   purr = () => 1;",
      "8-10 const f = () =>",
      "11-11 export const limit = 3;",
      "12-12 exports.run = function () {};",
      "13-13 function* gen() {}",
    ],
  ],
  [
    "a.ts",
    "export interface Port {\n  read(path: string): string;\n}\nexport type Id = string;\nenum Kind { A }\nnamespace N {\n  export function f(): void {}\n}\nabstract class Base<T> {\n  abstract go(): void;\n  handler = () => {};\n}\ndeclare function g(): void;\n",
    [
      "1-3 export interface Port",
      "2-2   read(path: string): string;",
      "4-4 export type Id = string;",
      "5-5 enum Kind { A }",
      "6-8 namespace N",
      "7-7   export function f(): void {}",
      "9-12 abstract class Base<T>",
      "10-10   abstract go(): void;",
      "11-11   handler = () => {};",
      "13-13 declare function g(): void;",
    ],
  ],
  [
    "a.tsx",
    "export function App() {\n  return <div />;\n}\nexport default class extends Base {}\nclass Row {}\n",
    ["1-3 export function App()", "5-5 class Row {}"],
  ],
  [
    "a.py",
    "LIMIT = 3\nlower = 1\n\n@dataclass\nclass Cat(Animal):\n    @property\n    def name(self):\n        def inner(): pass\n        return 1\n\nasync def run():\n    pass\n",
    ["1-1 LIMIT = 3", "5-9 class Cat(Animal):", "7-9   def name(self):", "11-12 async def run():"],
  ],
  [
    "a.go",
    "package a\n\nconst Limit = 3\n\ntype Cat struct {\n\tName string\n}\n\nfunc (c *Cat) Meow() string {\n\treturn c.Name\n}\n\nfunc main() {}\n",
    [
      "3-3 const Limit = 3",
      "5-7 type Cat struct",
      "9-11 func (c *Cat) Meow() string",
      "13-13 func main() {}",
    ],
  ],
  [
    "a.rs",
    "const N: u8 = 1;\nstruct Cat;\ntrait Animal {\n    fn name(&self) -> String;\n}\nimpl Animal for Cat {\n    fn name(&self) -> String {\n        String::new()\n    }\n}\nmod inner {\n    pub fn f() {}\n}\nmacro_rules! m { () => {} }\n",
    [
      "1-1 const N: u8 = 1;",
      "2-2 struct Cat;",
      "3-5 trait Animal",
      "4-4   fn name(&self) -> String;",
      "6-10 impl Animal for Cat",
      "7-9   fn name(&self) -> String",
      "11-13 mod inner",
      "12-12   pub fn f() {}",
      "14-14 macro_rules! m { () => {} }",
    ],
  ],
  [
    "A.java",
    'package a;\n@Deprecated\npublic class Cat {\n  public Cat() {}\n  @Override\n  public String toString() {\n    return "";\n  }\n  enum Kind { A }\n}\nrecord Point(int x) {}\ninterface I { void f(); }\n',
    [
      "2-10 public class Cat",
      "4-4   public Cat() {}",
      "5-8   public String toString()",
      "9-9   enum Kind { A }",
      "11-11 record Point(int x) {}",
      "12-12 interface I { void f(); }",
    ],
  ],
  [
    "a.cs",
    "namespace A {\n  public class Cat {\n    public string Name { get; set; }\n    public void Meow() { }\n  }\n  enum K { A }\n}\n",
    [
      "1-7 namespace A",
      "2-5   public class Cat",
      "3-3     public string Name { get; set; }",
      "4-4     public void Meow() { }",
      "6-6   enum K { A }",
    ],
  ],
  [
    "a.cpp",
    "namespace a {\nclass Cat {\n public:\n  void meow();\n  int age() const { return 1; }\n};\n}\nint *find(int x) {\n  return 0;\n}\nvoid Cat::meow() {}\nint later(int);\n#define MAX(a, b) ((a) > (b))\n",
    [
      "1-7 namespace a",
      "2-6   class Cat",
      "4-4     void meow();",
      "5-5     int age() const { return 1; }",
      "8-10 int *find(int x)",
      "11-11 void Cat::meow() {}",
      "12-12 int later(int);",
      "13-13 #define MAX(a, b) ((a) > (b))",
    ],
  ],
  [
    "a.php",
    "<?php\nnamespace A;\nclass Cat {\n  public function meow() {}\n}\nfunction f() {}\ntrait T {}\n",
    ["3-5 class Cat", "4-4   public function meow() {}", "6-6 function f() {}", "7-7 trait T {}"],
  ],
  [
    "a.rb",
    "module A\n  class Cat < Animal\n    def self.make; end\n    def meow\n    end\n  end\nend\n",
    ["1-7 module A", "2-6   class Cat < Animal", "3-3     def self.make; end", "4-5     def meow"],
  ],
  [
    "a.css",
    ".cat { color: red; }\n@media print {\n  .cat { color: black; }\n}\n@keyframes spin {\n  to { rotate: 1turn; }\n}\n",
    ["1-1 .cat { color: red; }", "2-4 @media print", "3-3   .cat { color: black; }", "5-7 @keyframes spin"],
  ],
  ["a.sh", "#!/bin/sh\nmeow() {\n  echo meow\n}\n", ["2-4 meow()"]],
  [
    "a.ps1",
    "function Get-Cat {\n  param($Name)\n}\nclass Cat {\n  [string] Meow() { return 'm' }\n}\n",
    ["1-3 function Get-Cat", "4-6 class Cat", "5-5   [string] Meow() { return 'm' }"],
  ],
];

describe("definitions", () => {
  for (const [file, source, expected] of SAMPLES) {
    it(`of ${file}`, async () => expect(await outline(file, source)).toEqual(expected));
  }

  it("has a sample of every language", () => {
    const sampled = new Set(SAMPLES.map(([file]) => languageByName(file)?.grammar));
    expect(LANGUAGES.map(({ grammar }) => grammar).filter((grammar) => !sampled.has(grammar))).toEqual([]);
  });
});

describe("list_code_definition_names", () => {
  const files = {
    "src/b.py": "def b():\n  pass\n",
    "src/a.ts": "export class A {\n  go() {}\n}\n",
    "src/empty.ts": "// nothing\n",
    "src/deep/c.ts": "class C {}\n",
    "src/notes.txt": "class Not {}\n",
  };

  it("lists a file's definitions with their lines", async () => {
    const { text } = await runTool("list_code_definition_names", { path: "src/a.ts" }, { files });
    expect(text).toBe("src/a.ts\n1-3 | export class A\n  2 |   go() {}");
  });

  it("lists those of a folder's own files, not of folders below", async () => {
    const { text } = await runTool("list_code_definition_names", { path: "src" }, { files });
    expect(text).toBe(
      "a.ts\n1-3 | export class A\n  2 |   go() {}\n\nb.py\n1-2 | def b():\n\nWithout definitions: empty.ts",
    );
  });

  it("says what it can list when it cannot", async () => {
    const { error } = await runTool("list_code_definition_names", { path: "src/notes.txt" }, { files });
    expect(error).toMatch(/only those of files ending in \.js .*read_file/);
  });

  it("is bounded, and names the first file that is left out", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `src/f${String(n).padStart(2, "0")}.py`,
        "def f():\n  pass\n".repeat(20),
      ]),
    );
    const settings = { context: { maxResultCharacters: 1_000 } };
    const { text } = await runTool("list_code_definition_names", { path: "src" }, { files: many, settings });
    expect(text.length).toBeLessThan(1_400);
    expect(text).toMatch(/\((\d+) more source files omitted, from f\d\d\.py on\. Name a single file/);
  });
});
