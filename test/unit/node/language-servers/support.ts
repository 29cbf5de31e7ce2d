/** A project on the disk whose user configured language servers. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { CodeSymbols } from "../../../../src/core/ports/symbols.ts";
import { addLanguageServers } from "../../../../src/node/config/language-server-setup.ts";
import { project } from "../../../support/tools-on-disk.ts";
import { productFolder } from "../servers/support.ts";
import { temporaryFolder } from "../support.ts";

const repository = path.join(import.meta.dirname, "../../../..");

/** The language server of TypeScript 7. */
export const TYPESCRIPT = {
  command: process.execPath,
  args: [path.join(repository, "node_modules/typescript/bin/tsc"), "--lsp", "--stdio"],
  extensionToLanguage: { ".ts": "typescript" },
};

/** See `test/fixtures/language-servers/odd.cjs`. */
export function oddServer(manner: string, log?: string) {
  const program = path.join(repository, "test/fixtures/language-servers/odd.cjs");
  return {
    command: process.execPath,
    args: [program, manner, ...(log === undefined ? [] : [log])],
    extensionToLanguage: { ".odd": "odd" },
  };
}

/** `configured`: the content of the user's file; undefined: there is none. */
export async function userProject(
  files: Readonly<Record<string, string>>,
  configured?: unknown,
  startMs = 10_000,
) {
  const made = await project();
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(made.at(name)), { recursive: true });
    await writeFile(made.at(name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const [configDir, dataDir] = [await temporaryFolder(), await temporaryFolder()];
  if (configured !== undefined)
    await writeFile(
      path.join(configDir, "lsp.json"),
      typeof configured === "string" ? configured : JSON.stringify(configured),
    );
  const logged: string[] = [];
  const host = Object.assign(made.host, {
    log: { info: () => {}, error: (text: string) => logged.push(text) },
  });
  const opened = await addLanguageServers(host, {
    ...{
      configDir,
      dataDir,
      environment: process.env,
      programDir: await productFolder(),
      version: "0.0.0",
      startMs,
    },
  });
  onTestFinished(() => opened?.close());
  return { ...made, write, logged, close: async () => opened?.close(), symbols: host.codeSymbols };
}

export function present(symbols: CodeSymbols | undefined): CodeSymbols {
  if (!symbols) throw new Error("the host has no symbols");
  return symbols;
}
