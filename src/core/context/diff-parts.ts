/** Splits a diff of git into the changes of each file, for a model. */

/** What a diff says about one file. */
export interface DiffPart {
  /** The file's path from the top of the repository; "": it cannot be read from the diff. */
  name: string;
  /** Its earlier path, if it was renamed. */
  from?: string;
  kind: "new file" | "deleted" | "changed" | "renamed";
  /** Its hunks; "" if it is not text or has the same content as before. */
  hunks: string;
  /** Git shows no lines of it, because it is not text. */
  isBinary?: true;
}

const HEADER = "diff --git ";

/** `diff`: with the prefixes a/ and b/. Its end may be cut. */
export function diffParts(diff: string): DiffPart[] {
  // Each line of a content has a mark before it. A content may have line ends that are none for git, such as a single \r.
  return diff
    .split(/(?:^|\n)(?=diff --git )/)
    .filter((part) => part.startsWith(HEADER))
    .map(partOf);
}

function partOf(part: string): DiffPart {
  const read = changeOf(part);
  const isBinary = read.hunks === "" && /^(?:Binary files |GIT binary patch)/m.test(part);
  return isBinary ? { ...read, isBinary } : read;
}

function changeOf(part: string): DiffPart {
  const at = part.indexOf("\n@@");
  const header = (at < 0 ? part : part.slice(0, at)).split("\n");
  const hunks = at < 0 ? "" : part.slice(at + 1).trimEnd();
  const lineOf = (key: string) => header.find((line) => line.startsWith(key))?.slice(key.length);
  const [from, to] = [lineOf("rename from "), lineOf("rename to ")];
  if (from !== undefined && to !== undefined)
    return { name: unquoted(to), from: unquoted(from), kind: "renamed", hunks };
  const name = nameTwice(header[0]?.slice(HEADER.length) ?? "");
  if (lineOf("new file mode ") !== undefined) return { name, kind: "new file", hunks };
  if (lineOf("deleted file mode ") !== undefined) return { name, kind: "deleted", hunks };
  return { name, kind: "changed", hunks };
}

/** The name in `a/NAME b/NAME`, whose halves are equally long; "": they are not. */
function nameTwice(names: string): string {
  const middle = (names.length - 1) / 2;
  if (names[middle] !== " ") return "";
  const [before, after] = [unquoted(names.slice(0, middle)), unquoted(names.slice(middle + 1))];
  const name = before.slice(2);
  return before === `a/${name}` && after === `b/${name}` ? name : "";
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" },
  ...{ '"': '"', "\\": "\\" },
};

/** Git quotes a name that has a control character, a quotation mark or a backslash. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, sign: string) =>
      sign.length === 3 ? String.fromCharCode(Number.parseInt(sign, 8)) : (ESCAPES[sign] ?? sign),
    );
}

/**
 * The part for a model: one line that says what happened to the file, and its hunks. The text of a deleted file is left out, because it
 * says little about the reason, and so is that of a file that the model may not read.
 */
export function partText({ name, from, kind, hunks }: DiffPart, isPrivate: boolean): string {
  const what = from === undefined ? kind : `renamed from ${from}`;
  const head = `--- ${name === "" ? "(a file with an unreadable name)" : name} (${what})`;
  if (kind === "deleted") return head;
  if (isPrivate) return `${head}\n(its content is private)`;
  if (hunks !== "") return `${head}\n${hunks}`;
  return kind === "renamed" ? head : `${head}\n(no text changed)`;
}
