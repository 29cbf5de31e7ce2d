/** Capabilities of this machine that tests depend on. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Whether a file system of a few kilobytes can be created here. */
export const canMount = (() => {
  const folder = mkdtempSync(path.join(tmpdir(), "nekode-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();
