/** Normalizes file names to compare them as common file systems do. */

/** Letters of ASCII have no other form than that of the other case. */
const PRINTABLE = /^[ -~]*$/;

const odd = () => /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Mn}/gu;

/**
 * Folds one path segment: removes differences in compatibility forms and case, characters that some file systems
 * ignore, trailing dots and spaces, and alternate data streams. Names that any common file system considers equal fold
 * to the same text.
 */
function foldName(name: string): string {
  const stream = name.indexOf(":");
  const base = stream > 0 ? name.slice(0, stream) : name;
  const plain = PRINTABLE.test(base) ? base.toLowerCase() : foldedForms(base);
  return plain === "." || plain === ".." ? plain : plain.replace(/[. ]+$/, "");
}

function foldedForms(base: string): string {
  return base
    .normalize("NFKC")
    .replace(odd(), "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replace(odd(), "")
    .normalize("NFKC");
}

/** Returns the folded segments of a path, split at both kinds of slashes, without empty and `.` segments. */
export function foldedParts(path: string): string[] {
  return path
    .replace(/\u2044|\u2215|\uff0f|\uff3c|\u29f5|\ufe68/g, "/")
    .split(/[\\/]+/)
    .map(foldName)
    .filter((part) => part !== "" && part !== ".");
}

/** `GIT~1`: a short name that Windows generates, which may refer to any name. */
export function isShortName(part: string): boolean {
  return /^[^.~]{1,8}~\d{1,6}(?:\.[^.]{0,3})?$/.test(part);
}

/** Windows devices, which open in whatever folder they are named. */
export function isDeviceName(part: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/.test(part);
}
