/** Tests run where no program can be installed, and say so. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const module = fileURLToPath(new URL("../../scripts/lib/test-programs.mjs", import.meta.url));

/** What is said where PATH holds these programs and nothing else. */
function said(programs: Record<string, string | undefined>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "nekode-path-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(programs)) {
    if (text === undefined) continue;
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  const script = `import { ensureTestPrograms } from ${JSON.stringify(module)}; await ensureTestPrograms();`;
  const env = { PATH: folder, HOME: folder };
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
}

it.runIf(process.platform === "linux")("says which programs are missing, and fails nothing", () => {
  const others = { busybox: "", sponge: "", parallel: "", "redis-server": "", bwrap: "", ip: "", strace: "" };
  expect(said({ bash: "", ...others })).toMatch(/^Commands are tested without zsh, fish: .*zsh, fish/);
  expect(said({ bash: "", zsh: "", fish: "", ...others, sponge: undefined })).toMatch(/sponge: .*moreutils/);
  const failing = said({ bash: "", zsh: "", ...others, "apt-get": "echo no network; exit 100" });
  expect(failing).toContain("Commands are tested without fish: ");
  expect(failing).toMatch(process.getuid?.() === 0 ? /no network/ : /sudo sh -c "apt-get update/);
  expect(said({ bash: "", zsh: "", fish: "", ...others })).toBe("");
});
