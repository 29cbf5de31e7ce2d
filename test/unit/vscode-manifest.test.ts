import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defaultSettings } from "../../src/shared/settings.ts";
import { isMachineScoped, settingKeys } from "../../src/vscode/settings-reader.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), "utf8"));
const texts = z.record(z.string(), z.string());
const property = z.object({
  order: z.number(),
  default: z.unknown(),
  scope: z.string(),
  type: z.union([z.string(), z.array(z.string())]),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
  markdownDescription: z.string(),
  markdownEnumDescriptions: z.array(z.string()).optional(),
});
const manifest = z
  .object({
    icon: z.string(),
    contributes: z.object({
      viewsContainers: z.object({
        activitybar: z.array(z.object({ id: z.string(), icon: z.string() })),
        secondarySidebar: z.array(z.object({ id: z.string(), icon: z.string() })),
      }),
      views: z.looseObject({ nekode: z.array(z.object({ id: z.string() })) }),
      commands: z.array(z.object({ command: z.string(), title: z.string() })),
      keybindings: z.array(z.object({ command: z.string(), key: z.string() })),
      menus: z.record(
        z.string(),
        z.array(
          z.object({
            command: z.string().optional(),
            submenu: z.string().optional(),
            when: z.string().optional(),
            group: z.string().optional(),
          }),
        ),
      ),
      submenus: z.array(z.object({ id: z.string(), label: z.string() })),
      configuration: z.array(z.object({ title: z.string(), properties: z.record(z.string(), property) })),
    }),
    capabilities: z.object({
      untrustedWorkspaces: z.object({ supported: z.string(), restrictedConfigurations: z.array(z.string()) }),
      virtualWorkspaces: z.object({ supported: z.boolean() }),
    }),
  })
  .parse(read("package.json"));
const { contributes, capabilities } = manifest;
const properties = Object.assign({}, ...contributes.configuration.map((section) => section.properties));
const settings: Record<string, z.infer<typeof property>> = z.record(z.string(), property).parse(properties);

const sections = z.record(z.string(), z.unknown());

function defaultOf(key: string): unknown {
  const [section = "", name] = key.split(".");
  const value = sections.parse(defaultSettings)[section];
  return name === undefined ? value : sections.parse(value)[name];
}

describe("the manifest's settings", () => {
  it("are those of the schema that govern something, with the same defaults", () => {
    const expected = Object.fromEntries(settingKeys.map((key) => [`nekode.${key}`, defaultOf(key)]));
    const actual = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value.default]));
    expect(actual).toEqual(expected);
  });

  it("stand in the order in which they are listed", () => {
    const orders = Object.values(settings).map(({ order }) => order);
    expect(orders).toEqual(orders.map((_, index) => index));
  });

  it("that a workspace may not set are the machine's; the rest of a workspace's wait for trust", () => {
    for (const [key, { scope }] of Object.entries(settings)) {
      expect(scope, key).toBe(isMachineScoped(key.slice("nekode.".length)) ? "machine" : "window");
    }
    const restricted = Object.keys(settings).filter((key) => settings[key]?.scope !== "machine");
    expect([...capabilities.untrustedWorkspaces.restrictedConfigurations].sort()).toEqual(restricted.sort());
  });

  it("refuse what the schema refuses", async () => {
    const { settingsSchema } = await import("../../src/shared/settings.ts");
    const nested = (key: string, value: unknown): unknown =>
      key
        .split(".")
        .reverse()
        .reduce((inner: unknown, name) => ({ [name]: inner }), value);
    for (const [id, { minimum, maximum, type, enum: values }] of Object.entries(settings)) {
      const key = id.slice("nekode.".length);
      const fits = (value: unknown) => settingsSchema.safeParse(nested(key, value)).success;
      for (const value of values ?? []) expect(fits(value), `${id} ${value}`).toBe(true);
      if (values) expect(fits("another"), id).toBe(false);
      if (minimum !== undefined) expect([fits(minimum), fits(minimum - 1)], id).toEqual([true, false]);
      if (maximum !== undefined) expect([fits(maximum), fits(maximum + 1)], id).toEqual([true, false]);
      if (type === "integer") expect(fits((minimum ?? 0) + 0.5), id).toBe(false);
      if (type === "boolean") expect(fits("yes"), id).toBe(false);
    }
  });
});

describe("the manifest's names", () => {
  it("are those that people and scripts rely on", () => {
    expect(contributes.viewsContainers.activitybar.map(({ id }) => id)).toEqual(["nekode"]);
    expect(contributes.viewsContainers.secondarySidebar.map(({ id }) => id)).toEqual(["nekode-secondary"]);
    // A view of a container that VS Code does not know would appear in the Explorer.
    expect(Object.keys(contributes.views)).toEqual(["nekode"]);
    expect(contributes.views.nekode.map(({ id }) => id)).toEqual(["nekode.chat"]);
    expect(contributes.commands.map(({ command }) => command.replace("nekode.", ""))).toEqual(
      "focus newTask newTaskInWorktree reviewWorktree worktrees openInEditor moveToSideBar moveToSecondarySideBar stop allowedCommands endCommands approve reject toggleMode find openAnswer history showWaiting settings setApiKey setSearchKey installCommand commitMessage review addSelection editHere editHere.accept editHere.reject editHere.continue follow unfollow hunk.next hunk.previous hunk.keep hunk.undo hunk.keepFile hunk.review fixProblem explain addTerminalSelection mention rules servers hooks plugins memory tools selectModel health copyReport selectPermission view.newTask view.history view.rules view.servers view.openInEditor plan.addComment plan.deleteComment plan.sendComments review.fix review.explain review.dismiss proposal.addComment proposal.deleteComment proposal.sendComments".split(
        " ",
      ),
    );
  });

  it("in menus and keybindings are commands, and no key is used twice for one place", () => {
    const commands = new Set(contributes.commands.map(({ command }) => command));
    const used = [...contributes.keybindings, ...Object.values(contributes.menus).flat()];
    const known = used.filter(({ command }) => command !== undefined && commands.has(command));
    const submenus = Object.values(contributes.menus).flatMap((entries) =>
      entries.flatMap(({ submenu }) => submenu ?? []),
    );
    expect(used).toHaveLength(known.length + submenus.length);
    expect(submenus).toEqual(contributes.submenus.map(({ id }) => id));
    for (const id of submenus) expect(contributes.menus[id]?.length, id).toBeGreaterThan(0);
  });

  it("stand under one name in the menu of the editor, which other extensions share", () => {
    expect(contributes.menus["editor/context"]).toEqual([
      { submenu: "nekode.editor", when: "editorTextFocus", group: "z_nekode@1" },
    ]);
    expect(contributes.submenus).toEqual([{ id: "nekode.editor", label: "Nekode" }]);
  });

  it("in the view's title begin with a new task and the history, and move the view only to where it is not", () => {
    const title = contributes.menus["view/title"] ?? [];
    const seen = title.filter(({ group }) => group?.startsWith("navigation@"));
    const ordered = seen.sort((a, b) => (a.group ?? "").localeCompare(b.group ?? ""));
    // VS Code hides the last ones where there is no room.
    expect(ordered.slice(0, 2).map(({ command }) => command)).toEqual([
      "nekode.view.newTask",
      "nekode.view.history",
    ]);
    // In the secondary side bar VS Code 1.139 hides the first ones, and has room for three.
    const aside = ordered.filter(({ when }) => !when?.includes("viewLocation != auxiliarybar"));
    expect(aside.map(({ command }) => command)).toEqual([
      "nekode.view.newTask",
      "nekode.view.history",
      "nekode.settings",
    ]);
    const move = title.find(({ command }) => command === "nekode.moveToSecondarySideBar");
    expect(move?.when).toBe("view == nekode.chat && viewLocation != auxiliarybar");
  });

  it("of files exist", () => {
    for (const file of [manifest.icon, ...contributes.viewsContainers.activitybar.map(({ icon }) => icon)]) {
      expect(existsSync(path.join(root, file)), file).toBe(true);
    }
  });
});

describe("the manifest's texts", () => {
  const english = texts.parse(read("package.nls.json"));
  const japanese = texts.parse(read("package.nls.ja.json"));
  const used = [...readFileSync(path.join(root, "package.json"), "utf8").matchAll(/"%([\w.-]+)%"/g)].map(
    ([, key]) => key ?? "",
  );

  it("are there in both languages, and all are used", () => {
    expect(Object.keys(english).sort()).toEqual([...new Set(used)].sort());
    expect(Object.keys(japanese).sort()).toEqual(Object.keys(english).sort());
    for (const [key, value] of Object.entries({ ...english, ...japanese })) expect(value, key).not.toBe("");
  });

  it("name pictures that exist, in each language its own", () => {
    const pictures = [english, japanese].map((all) =>
      Object.entries(all).flatMap(([key, file]) => (key.endsWith(".image") ? [file] : [])),
    );
    for (const file of pictures.flat()) expect(existsSync(path.join(root, file)), file).toBe(true);
    expect(pictures[1]).toEqual(pictures[0]?.map((file) => file.replace(".webp", ".ja.webp")));
  });

  it("describe every command and setting by a key, and keep the settings that they refer to", () => {
    const described = [
      ...contributes.commands.map(({ title }) => title),
      ...contributes.configuration.map(({ title }) => title),
      ...Object.values(settings).flatMap((each) => [
        each.markdownDescription,
        ...(each.markdownEnumDescriptions ?? []),
      ]),
    ];
    expect(described.filter((text) => !/^%[\w.-]+%$/.test(text))).toEqual([]);
    for (const text of [...Object.values(english), ...Object.values(japanese)]) {
      for (const [, key = ""] of text.matchAll(/#([\w.]+)#/g)) expect(Object.keys(settings)).toContain(key);
    }
  });
});
