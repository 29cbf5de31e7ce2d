/** Pages in the built terminal host: asked for with the exact URL, fetched over real HTTP, converted in the real thread. */
import { expect, it } from "vitest";
import { webScript } from "../model-server/scripts/web.ts";
import type { Script } from "../model-server/server.ts";
import { underOne } from "../support/protocols.ts";
import { asked, base, env, host, KEY, placeOfEachTest, project, sent, server } from "./web-place.ts";

placeOfEachTest();

it.each(underOne("xml"))(
  "under %s, shows the URL, asks, and gives the model the article",
  async (protocol) => {
    server.setScript(webScript(`${base}/a?q=猫\u202e`));
    const args = ["--protocol", protocol, "--private-hosts", `${host},localhost`, "Read it"];
    const { code, stdout } = await project.converse(args, env, [["[n]o", "y\r"]]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${base}/a?q=%E7%8C%AB%E2%80%AE`);
    expect(stdout).toContain("Fetch this URL?");
    expect(stdout).not.toContain("\u202e");
    expect(asked).toEqual(["/a?q=%E7%8C%AB%E2%80%AE"]);
    expect(sent(2)).toContain("# 吾輩は猫である\\n\\n吾輩は猫である。");
    expect(sent(2)).toContain("</url_content>");
    expect(sent(2)).not.toContain("Menu");
    // The page repeated the key.
    expect(sent(2)).not.toContain(KEY);
  },
);

it("a private host that nobody named, and a URL with the key, are not requested even if everything is approved", async () => {
  server.setScript(webScript(`${base}/a`, `${base}/?k=${KEY}`));
  const { code } = await project.run(["--approve", "all", "Read it"], env);
  expect(code).toBe(0);
  expect(asked).toEqual([]);
  expect(sent(2)).toContain("privateHosts");
  expect(sent(3)).toContain("contains an API key");
});

it("searches with the user's SearXNG server, and only then has the tool", async () => {
  const script: Script = {
    turns: [
      { match: { request: 1 }, answer: [{ tool: "web_search", params: { query: "猫" } }] },
      { answer: [{ tool: "attempt_completion", params: { result: "Found." } }] },
    ],
  };
  server.setScript(script);
  const search = { NEKODE_SEARCH_PROVIDER: "searxng", NEKODE_SEARCH_URL: `${base}/searx` };
  const { code, stdout } = await project.converse(["Search"], { ...env, ...search }, [["[n]o", "y\r"]]);
  expect(code).toBe(0);
  expect(stdout).toContain("Search the web for this?");
  expect(stdout).toContain(`${base}/searx/search?q=%E7%8C%AB&format=json`);
  expect(asked).toEqual(["/searx/search?q=%E7%8C%AB&format=json"]);
  expect(sent(2)).toContain("1. 吾輩は猫である\\n   https://cats.example/\\n   名前はまだ無い。");
  server.setScript(script);
  const without = await project.run(["--approve", "all", "Search"], env);
  expect(without.code).toBe(0);
  expect(sent(4)).toContain("There is no tool named web_search");
  expect(asked).toHaveLength(1);
});

it.each([
  [["--search-provider", "brave"], "NEKODE_SEARCH_API_KEY"],
  [["--search-provider", "searxng"], "--search-url"],
  [["--search-provider", "altavista"], "altavista"],
])("%j is a mistake that is named: %s", async (args, words) => {
  const { code, stderr } = await project.run([...args, "Search"], env);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

it("with nobody to ask, nothing is requested", async () => {
  server.setScript(webScript(`${base}/a`));
  const { code } = await project.run(["--private-hosts", host, "Read it"], env);
  expect([code, asked]).toEqual([4, []]);
});
