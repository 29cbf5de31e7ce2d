/** The workflows and the forms of the repository: pinned, with few rights, and made of steps that run on any machine. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const repository = path.join(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(path.join(repository, name), "utf8");
const { scripts, devDependencies } = z
  .object({
    scripts: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read("package.json")));

const permissions = z.record(z.string(), z.enum(["read", "write"]));
const stepSchema = z.strictObject({
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions,
  concurrency: z.unknown(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions,
      "timeout-minutes": z.number(),
      environment: z.string().optional(),
      steps: z.array(stepSchema),
    }),
  ),
});

const workflows = readdirSync(path.join(repository, ".github/workflows"));

describe.each(workflows)("%s", (file) => {
  const text = read(`.github/workflows/${file}`);
  const workflow = workflowSchema.parse(parse(text));
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);

  it("pins every action to a commit, and names its version", () => {
    const uses = text.split("\n").filter((line) => line.includes("uses:"));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("has no rights but those that a job names, and leaves no token in a folder", () => {
    expect(workflow.permissions).toEqual({});
    const writing = jobs.flatMap(([name, job]) =>
      Object.entries(job.permissions).flatMap(([scope, right]) =>
        right === "write" ? `${name} ${scope}` : [],
      ),
    );
    expect(writing).toEqual(file === "release.yml" ? ["github contents", "npm id-token"] : []);
    for (const step of steps)
      if (step.uses?.startsWith("actions/checkout@"))
        expect(step.with).toEqual({ "persist-credentials": false });
  });

  it("runs scripts of the manifest, and has no expression in a script", () => {
    const lines = steps.flatMap(({ run }) => run ?? []);
    expect(lines.length).toBeGreaterThan(0);
    const other = lines.filter((line) => {
      const [, name = line === "npm test" ? "test" : undefined] = /^npm run ([\w:]+)/.exec(line) ?? [];
      return name === undefined || scripts[name] === undefined;
    });
    // What publishes cannot run elsewhere.
    const publishing = /^(?:gh release create|npm publish|npx --yes (?:@vscode\/vsce|ovsx)@[\d.]+ publish) /;
    expect(other.filter((line) => line !== "sha256sum --check SHA256SUMS" && !publishing.test(line))).toEqual(
      [],
    );
    for (const line of lines) expect(line).not.toContain("${{");
  });

  it("gives a secret to the one step that needs it, in a job that an environment guards", () => {
    for (const [, job] of jobs)
      for (const step of job.steps)
        if (JSON.stringify(step).includes("secrets.")) {
          expect(job.environment).toBeDefined();
          expect([step.uses, step.run]).toEqual([undefined, expect.stringMatching(/ publish /)]);
        }
  });
});

it("a release is tested before it is published, and by the tool that packed it", () => {
  const { jobs } = workflowSchema.parse(parse(read(".github/workflows/release.yml")));
  const built = jobs.build?.steps.flatMap(({ run }) => run ?? []) ?? [];
  expect(built.map((line) => line.replace(/ --.*/, ""))).toEqual([
    ...["npm run release:notes", "npm test", "npm run package", "npm run smoke"],
    ...["npm run sbom", "npm run checksums"],
  ]);
  for (const [name, job] of Object.entries(jobs)) if (name !== "build") expect(job.needs).toBe("build");
  const used = jobs.marketplace?.steps.flatMap(
    ({ run }) => /@vscode\/vsce@([\d.]+)/.exec(run ?? "")?.[1] ?? [],
  );
  expect(used).toEqual([devDependencies["@vscode/vsce"]]);
});

it("the tests run on three systems with three versions of Node", () => {
  const ci = read(".github/workflows/ci.yml");
  expect(ci.match(/node: \[20, 22, 24\]/g)).toHaveLength(2);
  for (const system of ["ubuntu-latest", "macos-latest", "windows-latest"]) expect(ci).toContain(system);
});

const formSchema = z.strictObject({
  name: z.string(),
  description: z.string().max(200),
  labels: z.array(z.string()),
  body: z.array(
    z.strictObject({
      type: z.enum(["markdown", "textarea", "input", "checkboxes"]),
      id: z
        .string()
        .regex(/^[\w-]+$/)
        .optional(),
      attributes: z.looseObject({ label: z.string().optional(), description: z.string().optional() }),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    }),
  ),
});

it.each(["bug", "request", "question"])("the form %s asks for the report, by its commands", (name) => {
  const { body } = formSchema.parse(parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`)));
  const ids = body.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const report = body.find(({ id }) => id === "report");
  const { "command.copyReport.title": title } = z
    .record(z.string(), z.string())
    .parse(JSON.parse(read("package.nls.json")));
  expect(report?.attributes.description).toContain(`"Nekode: ${title}"`);
  expect(report?.attributes.description).toContain("nekode doctor --report");
  expect(report?.validations?.required ?? false).toBe(name === "bug");
});
