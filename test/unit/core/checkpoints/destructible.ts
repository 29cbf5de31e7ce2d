/** A project with everything in it that a snapshot may forget, and its whole state as text. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { git, write } from "../../node/git-support.ts";

/** Ignored and untracked files, binary, empty, hidden and read-only ones, odd names, links, empty folders, a repository. */
export function destructible(root: string, isRepository: boolean): void {
  mkdirSync(root, { recursive: true });
  if (isRepository) git(root, "init", "-q", "-b", "main");
  write(root, { "a.txt": "old\n", "src/main.ts": "old\n", "b.txt": "b\n" });
  execFileSync("tar", ["-cf", "old.tar", "a.txt", "src", "b.txt"], { cwd: root });
  execFileSync("zip", ["-qr", "old.zip", "a.txt", "src", "b.txt"], { cwd: root });
  write(root, { ".gitignore": "ignored/\n*.log\n.env\nnode_modules/\nbuild/\n" });
  const bytes = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256);
  if (isRepository) {
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "first");
    git(root, "branch", "other");
  }
  write(root, {
    "a.txt": "a\nsecond\nthird\n",
    "c d.txt": "c\n",
    "empty.txt": "",
    "bin.dat": bytes,
    "run.sh": "#!/bin/sh\n",
    "private.txt": "private\n",
    "readonly.txt": "read\nonly\n",
    "-dash.md": "dash\n",
    "日本語.txt": "日本語\n",
    "new\nline.txt": "new line\n",
    "q'uote.txt": "quote\n",
    "star*.txt": "star\n",
    "glob[1].txt": "glob\n",
    "sp ace/in.txt": "space\n",
    "src/main.ts": "const a = 1;\nmain\n",
    "src/util.ts": "util\n",
    "src/deep/x.ts": "x\n",
    "fix.patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-second\n+patched\n third\n",
    ".env": "TOKEN=1\n",
  });
  chmodSync(path.join(root, "run.sh"), 0o755);
  if (isRepository) {
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "second");
  }
  // What is not committed, and what is ignored.
  write(root, {
    "src/util.ts": "util, changed\n",
    "untracked.txt": "untracked\n",
    "list.log": "a.txt\nb.txt\n",
    "debug.log": "debug\n",
    "ignored/one.bin": bytes,
    "ignored/two.txt": "two\n",
    "build/out.js": "out\n",
    "build/nested/o.js": "o\n",
    "node_modules/p/index.js": "p\n",
  });
  chmodSync(path.join(root, "private.txt"), 0o600);
  chmodSync(path.join(root, "readonly.txt"), 0o444);
  chmodSync(path.join(root, "build/out.js"), 0o711);
  for (const folder of ["emptydir", "src/emptysub", "src/deep/hollow", "ignored/empty"]) {
    mkdirSync(path.join(root, folder), { recursive: true });
  }
  chmodSync(path.join(root, "emptydir"), 0o700);
  symlinkSync("a.txt", path.join(root, "ln"));
  symlinkSync("nowhere", path.join(root, "dangling"));
  symlinkSync("src", path.join(root, "dirlink"));
  const nested = path.join(root, "nested");
  mkdirSync(nested);
  git(nested, "init", "-q", "-b", "main");
  write(nested, { "n.txt": "n\n" });
  git(nested, "add", "-A");
  git(nested, "commit", "-q", "-m", "nested");
  write(nested, { "n.txt": "n, changed\n", "own.txt": "own\n" });
}

/** One line for everything below: kind, permissions, content or target. `isLeft`: not looked at. */
export function treeOf(root: string, isLeft: (name: string) => boolean): string[] {
  const lines: string[] = [];
  const look = (name: string): void => {
    if (isLeft(name)) return;
    const file = path.join(root, name);
    const stats = lstatSync(file);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) lines.push(`${JSON.stringify(name)} -> ${readlinkSync(file)}`);
    else if (stats.isDirectory()) {
      lines.push(`${JSON.stringify(name)}/ ${mode}`);
      for (const each of readdirSync(file).sort()) look(path.join(name, each));
    } else {
      const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
      lines.push(`${JSON.stringify(name)} ${mode} ${hash}`);
    }
  };
  look("");
  return lines;
}
