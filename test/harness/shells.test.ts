/** Tests run where no shell can be installed, and say so. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const module = fileURLToPath(new URL("../../scripts/lib/shells.mjs", import.meta.url));

/** What is said where PATH holds these programs and nothing else. */
function said(programs: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "nekode-path-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  const script = `import { ensureShells } from ${JSON.stringify(module)}; await ensureShells();`;
  const env = { PATH: folder, HOME: folder };
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
}

it.runIf(process.platform === "linux")("says which shells are missing, and fails nothing", () => {
  expect(said({ bash: "" })).toMatch(/^Commands are tested without zsh and fish: .*zsh, fish/);
  const failing = said({ bash: "", zsh: "", "apt-get": "echo no network; exit 100" });
  expect(failing).toContain("Commands are tested without fish: ");
  expect(failing).toMatch(process.getuid?.() === 0 ? /no network/ : /sudo sh -c "apt-get update/);
  expect(said({ bash: "", zsh: "", fish: "" })).toBe("");
});
