/** What an explanation says of the settings, the mode, several parts and paths; each answer is tried on the judge. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { explain } from "../../../../src/core/loop/explain/explain.ts";
import type { Situation, Subject } from "../../../../src/core/loop/explain/remedies.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { project } from "../../../support/tools-on-disk.ts";

const command = (text: string, more: Partial<Subject> = {}, requiresApproval = false): Subject => ({
  access: "command",
  mode: "act",
  invocation: { paths: [], command: text, requiresApproval },
  ...more,
});
const path = (file: string, access: "read" | "write"): Subject => ({
  access: access === "read" ? "read" : "edit",
  mode: "act",
  invocation: { paths: [{ path: file, access }] },
});

async function explained(
  subject: Subject | ((at: (name: string) => string) => Subject),
  settings: unknown = {},
) {
  const { host, at } = await project();
  await mkdir(at("src"));
  await writeFile(at("src/a.ts"), "a\n");
  await writeFile(at(".nekodeignore"), "hidden.ts\n");
  await symlink("/etc/hostname", at("link"));
  const situation: Situation = {
    settings: settingsSchema.parse(settings),
    subject: typeof subject === "function" ? subject(at) : subject,
    ignoring: true,
  };
  return explain(host, situation);
}

describe("what would make it run", () => {
  it("is the setting, where the list covers the command", async () => {
    const found = await explained(command("ls src"));
    expect(found).toMatchObject({
      verdict: "ask",
      reason: { code: "reads-without-sandbox" },
      part: "ls src",
      remedy: { settings: ["nekode.approval.commandSafe"], allow: [] },
      examples: { runs: "ls src" },
    });
  });

  it("is the setting for read-only commands, where there is a sandbox", async () => {
    const { host } = await project();
    const sandbox = async () => ({ engine: "bubblewrap" as const, version: "0.8.0" });
    const settings = settingsSchema.parse({ approval: { commandRead: false } });
    const judging = { ...host, shell: { kind: host.shell.kind, sandbox } };
    const { verdict, remedy } = await explain(judging, {
      ...{ settings, subject: command("git status"), ignoring: true },
    });
    expect(verdict).toBe("ask");
    expect(remedy).toMatchObject({ settings: ["nekode.approval.commandRead"], allow: [] });
  });

  it("is the entry alone, where the command would then run without the setting", async () => {
    expect((await explained(command("make all"))).remedy).toEqual({
      allow: ["make all"],
      undeny: [],
      settings: [],
    });
  });

  it("is also the setting that overrides the model's mark", async () => {
    const { remedy } = await explained(command("make all", {}, true), { approval: { commandSafe: true } });
    expect(remedy?.allow).toEqual(["make all"]);
    expect(remedy?.settings).toEqual(["nekode.approval.ignoreRequiresApproval"]);
  });

  it("is act mode and the entry, in plan mode", async () => {
    const { verdict, reason, remedy } = await explained(command("make all", { mode: "plan" }));
    expect({ verdict, code: reason.code }).toEqual({ verdict: "deny", code: "plan-mode" });
    expect(remedy).toMatchObject({ mode: "act", allow: ["make all"] });
  });

  it("is an entry for each part that asks", async () => {
    const { part, parts, remedy } = await explained(command("ls src; make all && make check"), {
      approval: { commandSafe: true },
    });
    expect(part).toBe("make all");
    expect(parts?.map(({ text, verdict }) => [text, verdict])).toEqual([
      ["ls src", "allow"],
      ["make all", "ask"],
      ["make check", "ask"],
    ]);
    expect(remedy?.allow).toEqual(["make all", "make check"]);
  });

  it("is nothing, where no entry helps", async () => {
    for (const text of ["sudo make all", "make all > log.txt", "echo $(make all)"])
      expect((await explained(command(text), { approval: { commandSafe: true } })).remedy, text).toBeNull();
  });

  it("takes the entry of the deny list away, and all that are the same", async () => {
    const { remedy } = await explained(command("make all"), { commands: { deny: ["make", "make  "] } });
    expect(remedy).toMatchObject({ undeny: ["make", "make  "], allow: ["make all"] });
  });
});

describe("which part", () => {
  it("is found in a line that is not understood as a whole", async () => {
    const { part, parts, reason } = await explained(command("ls src && make all > log.txt"), {
      approval: { commandSafe: true },
    });
    expect(reason.code).toBe("redirection");
    expect(part).toBe("make all > log.txt");
    expect(parts?.map(({ verdict }) => verdict)).toEqual(["allow", "ask"]);
  });

  it("is all of it, where no single part is to blame", async () => {
    const { part, reason } = await explained(command("git status & ls"), { approval: { commandSafe: true } });
    expect({ part, code: reason.code }).toEqual({ part: "git status & ls", code: "background" });
  });

  it("is judged in the folder that it runs in", async () => {
    const { parts } = await explained(command("cd src && cat a.ts"), {
      approval: { commandSafe: true },
      commands: { allow: ["cd", "cat"] },
    });
    expect(parts?.map(({ verdict }) => verdict)).toEqual(["allow", "allow"]);
  });
});

describe("a path", () => {
  it("names the setting for files outside, and where a link leads", async () => {
    expect(await explained((at) => path(at("link"), "read"))).toMatchObject({
      subject: "path",
      part: "link",
      resolved: "/etc/hostname",
      reason: { code: "outside-project" },
      remedy: { settings: ["nekode.approval.readOutside"] },
      examples: { runs: "link", asks: ".env" },
    });
  });

  it("names both settings where both are needed", async () => {
    const { remedy } = await explained((at) => path(at("link"), "write"));
    expect(remedy?.settings).toEqual(["nekode.approval.edit", "nekode.approval.editOutside"]);
  });

  it("names .nekodeignore, and nothing for what is protected", async () => {
    expect((await explained((at) => path(at("hidden.ts"), "read"))).remedy?.unignore).toBe(true);
    expect((await explained((at) => path(at(".env"), "read"))).remedy).toBeNull();
    expect((await explained((at) => path(at(".git/hooks/pre-commit"), "write"))).remedy).toBeNull();
  });
});
