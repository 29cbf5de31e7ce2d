/** Names of files as the file systems in use may compare them. */

const ODD = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Mn}/gu;

/**
 * One component of a path, folded: compatibility forms, case, characters that some file systems ignore, trailing
 * dots and spaces, and alternate data streams are gone. Two names that any common file system takes for one fold to one.
 */
export function foldName(name: string): string {
  const stream = name.indexOf(":");
  const base = stream > 0 ? name.slice(0, stream) : name;
  const plain = base
    .normalize("NFKC")
    .replace(ODD, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replace(ODD, "")
    .normalize("NFKC");
  return plain === "." || plain === ".." ? plain : plain.replace(/[. ]+$/, "");
}

/** The folded components of a path, split at both kinds of slashes, without empty and `.` ones. */
export function foldedParts(path: string): string[] {
  return path
    .replace(/\u2044|\u2215|\uff0f|\uff3c|\u29f5|\ufe68/g, "/")
    .split(/[\\/]+/)
    .map(foldName)
    .filter((part) => part !== "" && part !== ".");
}

/** `GIT~1`: a short name that Windows makes up, which may stand for any name. */
export function isShortName(part: string): boolean {
  return /^[^.~]{1,8}~\d{1,6}(?:\.[^.]{0,3})?$/.test(part);
}

/** Devices of Windows, which open whatever folder they are named in. */
export function isDeviceName(part: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/.test(part);
}
