/** Names for branches and folders, from the title of a task in any language. */

const MOST_CHARACTERS = 40;
/** Bytes; a file name has at most 255, and git adds to it. */
const MOST_BYTES = 120;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Letters and digits of the title, with `-` between its words: valid in a branch and as a folder on every system. */
export function slugOf(title: string): string {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  let slug = "";
  for (const character of words) {
    const next = slug + character;
    if ([...next].length > MOST_CHARACTERS || Buffer.byteLength(next) > MOST_BYTES) break;
    slug = next;
  }
  slug = slug.replace(/^-+|-+$/g, "");
  if (slug === "") return "task";
  return DEVICE.test(slug) ? `task-${slug}` : slug;
}

/** `slug`, `slug-2`, `slug-3`, and so on. */
export function* numbered(slug: string): Generator<string, never> {
  yield slug;
  for (let count = 2; ; count++) yield `${slug}-${count}`;
}

/**
 * What a branch of this name is called. git keeps `nekode/x` in a folder `nekode`, which a branch `nekode` would be a file for.
 * `taken`: all branches.
 */
export function branchNamed(name: string, taken: ReadonlySet<string>): string {
  return taken.has("nekode") ? `nekode-${name}` : `nekode/${name}`;
}

/** For comparisons of names: some file systems, and so some repositories, do not distinguish case or forms of a letter. */
export function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
