/** The tools for symbols in the terminal, over a language server for Python that others wrote: pyright. */
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { oneGuardForAll } from "../servers/support.ts";
import { userProject } from "./support.ts";

oneGuardForAll();

const VERSION = "1.1.414";
const FOLDER = path.resolve("node_modules/.cache", `pyright-${VERSION}`);
const SERVER = path.join(FOLDER, "node_modules/pyright/dist/pyright-langserver.js");
const PYRIGHT = {
  command: process.execPath,
  args: [SERVER, "--stdio"],
  extensionToLanguage: { ".py": "python" },
};

const FILES = {
  "cart.py": "def total(amount: int) -> int:\n    return amount\n",
  "shop.py":
    'from cart import total\n\n\ndef both() -> int:\n    return total(1) + total(2)\n\n\n# total is only a word here\nname = "total"\n',
};

// It is no package of the project: only this test uses it, and it is as large as all of them that are shipped.
beforeAll(async () => {
  if (
    await access(SERVER).then(
      () => true,
      () => false,
    )
  )
    return;
  const npm = ["install", "--no-save", "--ignore-scripts", "--prefix", FOLDER, `pyright@${VERSION}`];
  await promisify(execFile)("npm", npm);
});

it("finds references, the definition and callers in Python, and no word that is only spelled alike", async () => {
  const { call } = await userProject(FILES, { pyright: PYRIGHT }, 60_000);
  const at = { path: "cart.py", line: 1, symbol: "total" };
  const references = await call("code_symbols", { operation: "references", ...at });
  expect(references).toContain("cart.py\n1 | def total(amount: int) -> int:");
  expect(references).toContain("1 | from cart import total");
  expect(references).toContain("5 | return total(1) + total(2)");
  expect(references).not.toContain("only a word");
  expect(references).not.toContain('name = "total"');
  const used = { path: "shop.py", line: 5, symbol: "total(2)" };
  expect(await call("code_symbols", { operation: "definition", ...used })).toContain(
    "cart.py\n1 | def total(amount: int) -> int:",
  );
  expect(await call("code_symbols", { operation: "callers", ...at })).toContain("(in both)");
});
