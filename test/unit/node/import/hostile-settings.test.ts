/** Settings that others wrote to gain something, and secrets in every place: neither gets through. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { KEY, leftIn, settingsHome, USER } from "./setting-support.ts";

const place = settingsHome();
const ROO = `${USER}/globalStorage/rooveterinaryinc.roo-cline/settings`;

/** The content of every file below the folder. */
async function allTexts(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (
    await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), "utf8")))
  ).join("\n");
}

it("shows and stores no key, whatever field it is in", async () => {
  const random = "q7Fz2LmX9vK4tR8wB3nH6yD1";
  const bare = { command: "npx", args: ["cat-server"] };
  const servers = {
    env: {
      ...bare,
      env: {
        API_KEY: KEY,
        PLAIN: random,
        SHORT_TOKEN: "miaumiau",
        DATABASE: "postgres://neko:miaumiau@db/cats",
      },
    },
    args: {
      command: "npx",
      args: ["--api-key", "miaumiau", `--token=${random}`, KEY, random, "TOKEN=miaumiau", "X-Key: miaumiau"],
    },
    headers: {
      url: "https://cats.example.com",
      headers: { Authorization: `Bearer ${random}`, Cookie: "a=miaumiau" },
    },
    query: { url: `https://cats.example.com/mcp?key=miaumiau#${random}` },
    user: { url: "https://neko:miaumiau@cats.example.com/mcp" },
    path: { url: `https://cats.example.com/s/${random}/mcp` },
    command: { command: `/bin/${KEY}` },
    name: { ...bare, env: { [KEY]: "1" } },
    [KEY]: bare,
    keys: { ...bare, [KEY]: true, autoApprove: [KEY] },
    own: { ...bare, args: ["own-key-of-the-user"] },
  };
  await place.put(".claude.json", { mcpServers: servers, [KEY]: KEY, oauthAccount: { token: random } });
  await place.put(".claude/settings.json", {
    permissions: {
      allow: [`Bash(curl -H ${KEY})`, `Bash(cats ${random})`, KEY],
      deny: [`Bash(curl ${KEY}:*)`],
      ask: [`Bash(curl ${random}:*)`],
      defaultMode: KEY,
    },
    model: KEY,
    env: { SECRET: random },
    apiKeyHelper: KEY,
  });
  await place.put(`${ROO}/custom_modes.yaml`, {
    customModes: [
      { slug: "told", roleDefinition: `The key is ${KEY}.`, groups: ["read"] },
      { slug: KEY, roleDefinition: "Cats.", groups: ["read"] },
    ],
  });
  await place.put("Documents/Cline/Rules/keys.md", `Use ${KEY}.\n`);
  const list = await place.list();
  const shown = JSON.stringify(list);
  expect(leftIn(list)).toEqual(
    expect.arrayContaining(["told: has-key", "keys.md: has-key", "command: has-key"]),
  );
  const names = list.proposals.map(({ name }) => name);
  expect(names).toEqual(["env", "args", "headers", "query", "user", "path", "keys"]);
  for (const proposal of list.proposals) expect((await place.take(proposal)).outcome).toBe("taken");
  const stored = `${await allTexts(place.at("own"))}${await allTexts(place.at("data"))}`;
  for (const secret of [KEY, random, "miaumiau", "own-key-of-the-user"]) {
    expect(shown).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
});

it("shows and stores no password that only its name tells from a word", async () => {
  const npx = (...args: string[]) => ({ command: "npx", args });
  const servers = {
    script: npx("-c", "export API_KEY=miaumiau && npx cats"),
    header: npx("-c", "mcp-remote https://cats.example.com --header 'X-Api-Key: miaumiau'"),
    json: npx('{"url":"x","apiKey":"miaumiau"}', "Server=db;Password=miaumiau;"),
    pass: npx("--pass", "miaumiau", "DB_PASS=miaumiau", "-H", "X-Cat: miau miau7", "-u", "neko:miaumiau"),
    slash: npx("db=http://a,http://neko:12/miaumiau@db/cats"),
    url: { url: "https://neko:12/miaumiau@cats.example.com/mcp" },
    env: { command: "npx", env: { SMTP_PASS: "miaumiau", CREDS: "miaumiau", U: "http://a:1/miaumiau@b" } },
    command: { command: "npx cats --token miaumiau" },
    folder: { command: "npx", cwd: "/cats?token=miaumiau" },
  };
  await place.put(".claude.json", { mcpServers: servers });
  const permissions = {
    allow: [
      "Bash(PGPASSWORD=miaumiau psql)",
      'Bash(curl -H "Authorization: Bearer miaumiau" https://cats.example.com)',
      "Bash(curl -u neko:miaumiau https://cats.example.com)",
    ],
    deny: ["Bash(login --token miaumiau:*)"],
  };
  await place.put(".claude/settings.json", { permissions });
  const random = "d41d8cd98f00b204e9800998ecf8427e";
  await place.put(
    ".codex/config.toml",
    `[mcp_servers.bearer]\nurl = "https://cats.example.com"\nbearer_token_env_var = "${random}"
[mcp_servers.passed]\ncommand = "npx"\nenv_vars = ["CAT=miaumiau"]\n`,
  );
  const list = await place.list();
  const shown = JSON.stringify(list);
  const names = list.proposals.map(({ name }) => name);
  expect(names).toEqual(["script", "header", "json", "pass", "slash", "url", "env", "bearer"]);
  for (const proposal of list.proposals) expect((await place.take(proposal)).outcome).toBe("taken");
  const stored = `${await allTexts(place.at("own"))}${await allTexts(place.at("data"))}`;
  for (const secret of ["miau", random]) {
    expect(shown).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
});

it("a command is no secret because a word of it may be the name of one", async () => {
  const allow = ["npm run test:auth", "git commit --author neko", "docker pull -u 1000:1000", "make tokens"];
  await place.put(".claude/settings.json", { permissions: { allow: allow.map((each) => `Bash(${each})`) } });
  expect((await place.list()).proposals.map(({ after }) => after)).toEqual(allow);
});

it.each(["{ broken", "[]", "x\0y"])(
  "the rest is listed if the user's own servers cannot be read",
  async (content) => {
    await place.put("own/mcp.json", content);
    await place.put(".claude.json", { mcpServers: { cats: { command: "npx" } } });
    await place.put(".claude/settings.json", { permissions: { deny: ["Bash(git push:*)"] } });
    const list = await place.list();
    expect(list.proposals.map(({ after }) => after)).toEqual(["git push"]);
    expect(list.left).toMatchObject([
      { name: "cats", why: { code: "own-servers", value: "~/own/mcp.json" } },
    ]);
    expect(await readFile(place.at("own/mcp.json"), "utf8")).toBe(content);
  },
);

it("follows no link, waits for no pipe, and reads nothing that is too large", async () => {
  await mkdir(place.at("elsewhere/.claude"), { recursive: true });
  const rules = JSON.stringify({ permissions: { deny: ["Bash(git push:*)"] } });
  await writeFile(place.at("elsewhere/.claude/settings.json"), rules);
  await mkdir(place.at(".claude"));
  await symlink(place.at("elsewhere/.claude/settings.json"), place.at(".claude/settings.json"));
  await symlink(place.at("elsewhere/.claude"), place.at("app/.claude"));
  await mkdir(place.at(".codex"));
  if (process.platform !== "win32") execFileSync("mkfifo", [place.at(".codex/config.toml")]);
  await place.put(".config/opencode/opencode.json", `{"model":"${"x".repeat(10 * 1024 * 1024)}"}`);
  await place.put(`${ROO}/custom_modes.yaml`, "x".repeat(10 * 1024 * 1024));
  const list = await place.list();
  expect(list.proposals).toEqual([]);
  expect(list.problems).toEqual([
    { code: "too-large", path: `~/${ROO}/custom_modes.yaml` },
    { code: "link", path: "~/.claude/settings.json" },
    { code: "link", path: "~/app/.claude/settings.json" },
    { code: "link", path: "~/app/.claude/settings.local.json" },
    { code: "too-large", path: "~/.config/opencode/opencode.json" },
  ]);
});

it("reports what is damaged, nests too deep or expands without end, and reads the rest", async () => {
  const levels = Array.from(
    { length: 9 },
    (_, at) => `l${at}: &l${at} [${Array(9).fill(at === 0 ? "x" : `*l${at - 1}`)}]`,
  );
  await place.put(`${ROO}/custom_modes.yaml`, `${levels.join("\n")}\ncustomModes: [*l8]\n`);
  await place.put(`${ROO}/mcp_settings.json`, `${"[".repeat(100_000)}`);
  await place.put(".codex/config.toml", `a = ${"[".repeat(10_000)}`);
  await place.put(".config/opencode/opencode.json", "{ nothing");
  await place.put(".claude/settings.json", {
    permissions: { deny: ["Bash(git push:*)", 7, null], allow: "all" },
  });
  const list = await place.list();
  expect(list.proposals.map(({ after }) => after)).toEqual(["git push"]);
  expect(list.problems.map(({ code, path: file }) => `${code} ${path.posix.basename(file)}`)).toEqual([
    "unreadable mcp_settings.json",
    "unreadable custom_modes.yaml",
    "unreadable config.toml",
    "unreadable opencode.json",
  ]);
});

it("lets no name lead out of a folder, break a line or hide what it is", async () => {
  await place.put(`${ROO}/custom_modes.yaml`, {
    customModes: [
      { slug: "../../evil", roleDefinition: "x", groups: ["read"] },
      { slug: "a\u202eb", roleDefinition: "x\u200b\u202e", groups: ["read"] },
      { slug: "plan", roleDefinition: "x", groups: ["command"] },
      { slug: "__proto__", roleDefinition: "x", groups: [] },
    ],
  });
  await place.put(
    ".claude.json",
    `{"mcpServers":{"__proto__":{"command":"x"},"a\\u0007\\n\\u202eb":{"command":"x\\u202e"},"--":{"command":"x"}}}`,
  );
  await place.put(".claude/settings.json", {
    permissions: { allow: ["Bash(npm\u0000test)", "Bash(npm\ntest)", "Bash(npm te\u200bst)"] },
  });
  const list = await place.list();
  const shown = JSON.stringify(list);
  expect(shown).not.toMatch(/[\u0000-\u0008\u200b\u202e]|\\u0007|\\u0000/);
  for (const proposal of list.proposals) {
    expect(proposal.name).not.toContain("\n");
    expect(proposal.place).toMatch(/^~\/(?:own\/mcp\.json|\.nekode\/agents\/[\w.-]+\.md)$/);
    await place.take(proposal);
  }
  expect(list.proposals.filter(({ kind }) => kind === "allow")).toEqual([]);
  expect(Object.prototype).not.toHaveProperty("command");
  expect((await readdir(place.home)).sort()).toEqual(
    [".claude", ".claude.json", ".config", ".nekode", "app", "data", "own"].sort(),
  );
});

it("lists at most 500 settings of a file", async () => {
  const deny = Array.from({ length: 700 }, (_, at) => `Bash(cats ${at}:*)`);
  await place.put(".claude/settings.json", { permissions: { deny } });
  const list = await place.list();
  expect(list.proposals).toHaveLength(500);
  expect(leftIn(list)).toEqual(["…: too-many"]);
});
