/** What the rules files in a folder, and in its parents, exclude from a search and re-include. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import { createIgnoreRules, type IgnoreFile } from "./ignore-rules.ts";
import type { TreeRead } from "./trees.ts";

/** Where the files are, as in TreeCheck. */
interface SearchedFiles {
  files: Files;
  root: string;
  join(folder: string, name: string): string;
}

export class TreeRules {
  readonly #gitignore: IgnoreFile[] = [];
  readonly #hiddenBack: IgnoreFile[] = [];
  readonly #ignoredBack: IgnoreFile[] = [];
  #isIgnored = (_: string): boolean => false;
  #isHiddenBack = this.#isIgnored;
  #isIgnoredBack = this.#isIgnored;
  readonly #tree: TreeRead;
  readonly #inRepository: boolean;
  readonly #check: SearchedFiles;

  constructor(tree: TreeRead, inRepository: boolean, check: SearchedFiles) {
    this.#tree = tree;
    this.#inRepository = inRepository;
    this.#check = check;
  }

  /** Adds the rules of the folders above `relative`. Returns why they cannot be determined; otherwise undefined. */
  async addAbove(relative: string): Promise<Reason | undefined> {
    const parts = relative === "" ? [] : relative.split("/");
    let folder = this.#check.root;
    for (const [i, part] of parts.entries()) {
      const odd = await this.add(folder, parts.slice(0, i).join("/"), await this.#check.files.list(folder));
      if (odd) return odd;
      folder = this.#check.join(folder, part);
    }
    return undefined;
  }

  /** Adds the rules of one folder. */
  async add(
    folder: string,
    relative: string,
    entries: readonly { name: string; kind: string }[],
  ): Promise<Reason | undefined> {
    const { files, join } = this.#check;
    let changed = false;
    for (const { name, kind } of entries) {
      const git = name === ".gitignore" && this.#inRepository;
      const own = /^\.(?:rg)?ignore$/.test(name) && this.#tree.broughtBack === true;
      if (!git && !own) continue;
      const path = relative === "" ? name : `${relative}/${name}`;
      if (own && kind !== "file") return reasonOf("link-elsewhere", path);
      if (kind !== "file") continue;
      changed = true;
      const { text } = await files.readText(join(folder, name));
      if (git && !this.#tree.ignored) this.#gitignore.push({ folder: relative, text });
      const back = { folder: relative, text: broughtBack(text) };
      if (this.#tree.broughtBack && back.text !== "") {
        this.#hiddenBack.push(back);
        if (own) this.#ignoredBack.push(back);
      }
    }
    if (!changed) return undefined;
    this.#isIgnored = createIgnoreRules(this.#gitignore).ignores;
    this.#isHiddenBack = createIgnoreRules(this.#hiddenBack).ignores;
    this.#isIgnoredBack = createIgnoreRules(this.#ignoredBack).ignores;
    return undefined;
  }

  leavesOut(path: string, name: string): boolean {
    if (!this.#tree.hidden && name.startsWith(".") && !this.#isHiddenBack(path)) return true;
    return this.#isIgnored(path) && !this.#isIgnoredBack(path);
  }
}

/** Returns the patterns after a `!`, as patterns of their own. */
function broughtBack(text: string): string {
  const lines = text.split(/\r?\n/).flatMap((line) => /^\s*!(.+)$/.exec(line)?.[1] ?? []);
  return lines.join("\n");
}
