/** Who can change the administrator's policy on Windows, by the security descriptors of the file and of its folder. */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** Fixed, because the variables that name it are the user's. */
const POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";

/** Administrators, the system, and the service that installs Windows' own files. */
const ADMINISTRATORS = new Set([
  "BA",
  "SY",
  "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464",
]);

/** Rights in words: all, to write, to delete, to change the rights or the owner. */
const WRITING_WORDS = /GA|GW|FA|FW|SD|WD|WO|DC|LC|RP|DT|CR/;
/** The same as bits: write or append data, attributes, delete, delete child, WRITE_DAC, WRITE_OWNER, GENERIC_ALL, GENERIC_WRITE. */
const WRITING_BITS = 0x500d_0156;

/** The file or folder that others can change; undefined: there is none. */
export function windowsOwnership(file: string): string | undefined {
  return [file, path.win32.dirname(file)].find((each) => !isAdministrators(descriptorOf(each)));
}

/** Throws if it cannot be known. */
function descriptorOf(file: string): string {
  const script = `(Get-Acl -LiteralPath '${file.replaceAll("'", "''")}').Sddl`;
  const { status, stdout, error } = spawnSync(
    POWERSHELL,
    ["-NoProfile", "-NonInteractive", "-Command", script],
    { encoding: "utf8", windowsHide: true, timeout: 30_000 },
  );
  if (error) throw error;
  if (status !== 0 || stdout.trim() === "") throw new Error(`the owner of ${file} cannot be read`);
  return stdout.trim();
}

/** `descriptor`: in the security descriptor definition language, such as `O:BAG:SYD:P(A;;FA;;;BA)(A;;0x1200a9;;;BU)`. */
export function isAdministrators(descriptor: string): boolean {
  const owner = /^O:(S-[\d-]+|[A-Z]{2})/.exec(descriptor)?.[1];
  const list = /D:[A-Z]*((?:\([^()]*\))*)/.exec(descriptor)?.[1];
  // Without a list, everybody may do everything.
  if (owner === undefined || !ADMINISTRATORS.has(owner) || list === undefined || list === "") return false;
  return [...list.matchAll(/\(([^()]*)\)/g)].every(([, entry = ""]) => {
    const [type = "", flags = "", rights = "", , , who = ""] = entry.split(";");
    // Entries for what is made in the folder later say nothing about the folder.
    if (type === "D" || flags.includes("IO") || ADMINISTRATORS.has(who)) return true;
    return type === "A" && !mayWrite(rights);
  });
}

function mayWrite(rights: string): boolean {
  if (/^(?:0x[\da-f]+|\d+)$/i.test(rights)) return (Number(rights) & WRITING_BITS) !== 0;
  return (rights.match(/../g) ?? []).some((right) => WRITING_WORDS.test(right));
}
