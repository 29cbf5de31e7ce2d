/** Three search providers, each played by a strict server: what is sent, what is read, and every way to fail. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Interrupt, ToolError } from "../../../src/core/errors.ts";
import { createModelFetch } from "../../../src/node/net/model-fetch.ts";
import { brave } from "../../../src/node/net/web-search/brave.ts";
import { createSearchProviders } from "../../../src/node/net/web-search/search-providers.ts";
import type { SearchAdapter } from "../../../src/node/net/web-search/search-request.ts";
import { searchWith } from "../../../src/node/net/web-search/search-request.ts";
import { searxng } from "../../../src/node/net/web-search/searxng.ts";
import { tavily } from "../../../src/node/net/web-search/tavily.ts";
import { type Settings, settingsSchema } from "../../../src/shared/settings.ts";
import { answered } from "../../support/answered.ts";
import { freePort } from "../../support/free-port.ts";

const KEY = "tvly-4f9A_b2C7-d8E7-9c1B";

interface Asked {
  method: string;
  url: URL;
  headers: http.IncomingHttpHeaders;
  body: string;
}

let server: http.Server;
let elsewhere: http.Server;
let base = "";
let other = "";
let asked: Asked[] = [];
let askedElsewhere: http.IncomingHttpHeaders[] = [];
/** What the server answers to a well-formed request: [status, headers, body]; undefined: nothing, ever. */
let answer: [number, http.OutgoingHttpHeaders, string] | undefined;

/** Why a provider would reject the request; undefined: it is well-formed. */
function fault({ method, url, headers, body }: Asked): string | undefined {
  const params = [...url.searchParams.keys()].sort().join();
  if (headers.accept !== "application/json") return "accept";
  switch (url.pathname) {
    case "/res/v1/web/search":
      if (method !== "GET" || body !== "") return "method";
      if (headers["x-subscription-token"] !== KEY || headers.authorization) return "token";
      if (Number(url.searchParams.get("count")) > 20) return "count";
      return params === "count,q,result_filter,text_decorations" ? undefined : params;
    case "/search":
    case "/searx/search":
      if (method === "GET") {
        if (headers.authorization || headers["x-subscription-token"]) return "a key for nobody";
        return params === "format,q" && url.searchParams.get("format") === "json" ? undefined : params;
      }
      if (headers.authorization !== `Bearer ${KEY}`) return "token";
      if (headers["content-type"] !== "application/json" || params !== "") return "content type";
      return Object.keys(JSON.parse(body)).join() === "query,max_results,search_depth" ? undefined : body;
    default:
      return url.pathname;
  }
}

beforeAll(async () => {
  server = http.createServer(
    answered((request, response, body) => {
      const { method = "", headers } = request;
      const got = { method, url: new URL(request.url ?? "", base), headers, body };
      asked.push(got);
      const wrong = fault(got);
      if (wrong !== undefined) response.writeHead(400).end(`strict server: ${wrong}`);
      else if (answer) {
        const [status, sent, text] = answer;
        if (sent.location === "same") answer = [200, {}, text];
        response.writeHead(status, {
          ...sent,
          ...(sent.location === "same" ? { location: request.url } : {}),
        });
        response.end(text);
      }
    }),
  );
  elsewhere = http.createServer((request, response) => {
    askedElsewhere.push(request.headers);
    response.end('{"results":[]}');
  });
  for (const each of [server, elsewhere]) {
    each.listen(0, "127.0.0.1");
    await once(each, "listening");
  }
  const at = (each: http.Server) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
  [base, other] = [at(server), at(elsewhere)];
});
afterAll(() => {
  for (const each of [server, elsewhere]) {
    each.closeAllConnections();
    each.close();
  }
});
beforeEach(() => {
  asked = [];
  askedElsewhere = [];
});

const json = (value: unknown): NonNullable<typeof answer> => [
  200,
  { "content-type": "application/json" },
  JSON.stringify(value),
];

/** Each provider, and its answer with these pages, in the form that its documentation shows. */
const PROVIDERS: [
  string,
  () => SearchAdapter,
  (pages: { title: string; url: string; text: string }[]) => unknown,
][] = [
  [
    "Brave Search",
    () => brave({ base, key: KEY }),
    (pages) => ({
      type: "search",
      query: { original: "cats", more_results_available: true },
      mixed: { type: "mixed", main: [] },
      ...(pages.length === 0
        ? {}
        : {
            web: {
              type: "search",
              results: pages.map(({ title, url, text }) => ({
                ...{ type: "search_result", subtype: "generic", is_source_local: false, language: "en" },
                ...{ title, url, description: text, age: "May 1, 2024", meta_url: { hostname: "x" } },
              })),
            },
          }),
    }),
  ],
  [
    "Tavily",
    () => tavily({ base, key: KEY }),
    (pages) => ({
      ...{ query: "cats", answer: null, images: [], follow_up_questions: null },
      results: pages.map(({ title, url, text }) => ({
        title,
        url,
        content: text,
        score: 0.8,
        raw_content: null,
      })),
      response_time: 1.67,
    }),
  ],
  [
    "SearXNG",
    () => searxng({ base }),
    (pages) => ({
      query: "cats",
      number_of_results: 0,
      results: pages.map(({ title, url, text }) => ({
        ...{ title, url, content: text, engine: "x", parsed_url: ["https", "x", "/", "", "", ""] },
        ...{
          engines: ["x"],
          positions: [1],
          score: 1,
          category: "general",
          publishedDate: null,
          thumbnail: null,
        },
      })),
      ...{ answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] },
    }),
  ],
];

const PAGES = [
  {
    title: "Cats &amp; <strong>dogs</strong>",
    url: "https://cats.example/a?b=c",
    text: "Cats <b>purr</b> &quot;so&quot;.",
  },
  { title: "猫", url: "https://cats.example/猫", text: "" },
  { title: "No page", url: "javascript:alert(1)", text: "x" },
  { title: "No page either", url: "not a URL", text: "x" },
];

const fetch = createModelFetch({});
const provider = (adapter: SearchAdapter, timeoutMs = 10_000) =>
  searchWith(adapter, { fetch, key: KEY, timeoutMs });
const options = () => ({ count: 10, signal: new AbortController().signal });

async function errorOf(adapter: SearchAdapter, timeoutMs?: number): Promise<string> {
  const error = await provider(adapter, timeoutMs)
    .search("cats", options())
    .then(() => undefined)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ToolError);
  const { message } = error as ToolError;
  expect(message).not.toContain(KEY);
  return message;
}

describe.each(PROVIDERS)("%s", (name, adapterOf, answerWith) => {
  it("gives title, URL and excerpt as plain text, of pages alone", async () => {
    answer = json(answerWith(PAGES));
    const hits = await provider(adapterOf()).search("cats & 猫 #1", options());
    expect(hits).toEqual([
      { title: "Cats & dogs", url: "https://cats.example/a?b=c", snippet: 'Cats purr "so".' },
      { title: "猫", url: "https://cats.example/%E7%8C%AB", snippet: "" },
    ]);
    const [request] = asked;
    const sent = request?.body ? JSON.parse(request.body).query : request?.url.searchParams.get("q");
    expect(sent).toBe("cats & 猫 #1");
  });

  it("shows the address of exactly the request, without the key", async () => {
    answer = json(answerWith([]));
    const searching = provider(adapterOf());
    await searching.search("cats & dogs", options());
    const address = searching.address("cats & dogs", 10);
    expect(address).toBe(asked[0]?.url.href);
    expect(address).not.toContain(KEY);
  });

  it("may find nothing", async () => {
    answer = json(answerWith([]));
    expect(await provider(adapterOf()).search("cats", options())).toEqual([]);
  });

  it("gives no more than what was asked for", async () => {
    answer = json(
      answerWith(Array.from({ length: 30 }, () => ({ title: "t", url: "https://x.example/", text: "" }))),
    );
    expect(await provider(adapterOf()).search("cats", { ...options(), count: 3 })).toHaveLength(3);
  });

  it.each<[string, NonNullable<typeof answer>, string]>([
    ["a key that it rejects", [401, {}, `{"detail":{"error":"bad key ${KEY}"}}`], "rejected the API key"],
    ["too many requests", [429, { "retry-after": "7" }, "{}"], "limiting searches. Try again in 7 s"],
    ["too many requests, without a time", [429, { "retry-after": `x${KEY}` }, KEY], "Try again later"],
    ["an error of its own", [500, {}, `oops ${KEY}`], "responded with status 500"],
    ["a page instead of JSON", [200, {}, `<html>${KEY}</html>`], "something other than search results"],
    [
      "another JSON",
      [200, {}, `{"results":[{"titel":"${KEY}"}],"web":{"results":7}}`],
      "other than search results",
    ],
    ["half an answer", [200, {}, '{"results":[{"title":"'], "other than search results"],
    ["too much", [200, {}, `{"results":[],"x":"${"y".repeat(3_000_000)}"}`], "more than 2 MB"],
  ])("says so at %s", async (_name, given, words) => {
    answer = given;
    const message = await errorOf(adapterOf());
    expect(message).toContain(words);
    expect(message.startsWith(name)).toBe(true);
  });

  it("that redirects elsewhere is not followed, and the key goes nowhere", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      answer = [status, { location: `${other}/search?q=cats&format=json` }, ""];
      expect(await errorOf(adapterOf())).toContain("redirects to another server");
    }
    answer = [302, { location: "http://[" }, ""];
    expect(await errorOf(adapterOf())).toContain("redirects to another server");
    expect(askedElsewhere).toEqual([]);
  });

  it("that redirects on its own server is followed", async () => {
    answer = [307, { location: "same" }, JSON.stringify(answerWith([]))];
    expect(await provider(adapterOf()).search("cats", options())).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it("that does not answer ends at the deadline, and at once when stopped", async () => {
    answer = undefined;
    expect(await errorOf(adapterOf(), 100)).toContain("did not answer within");
    const controller = new AbortController();
    const searching = provider(adapterOf()).search("cats", { count: 1, signal: controller.signal });
    await expect.poll(() => asked.length).toBe(2);
    controller.abort();
    await expect(searching).rejects.toBeInstanceOf(Interrupt);
  });
});

describe("of one provider alone:", () => {
  it("Brave calls a wrong key a wrong parameter", async () => {
    const error = {
      id: "x",
      status: 422,
      code: "SUBSCRIPTION_TOKEN_INVALID",
      detail: "The token is invalid.",
    };
    answer = [422, {}, JSON.stringify({ type: "ErrorResponse", error, time: 1 })];
    expect(await errorOf(brave({ base, key: KEY }))).toContain("rejected the API key");
    answer = [422, {}, JSON.stringify({ type: "ErrorResponse", error: { ...error, code: "VALIDATION" } })];
    expect(await errorOf(brave({ base, key: KEY }))).toContain("status 422");
  });

  it.each([432, 433])("Tavily has a status for a plan that is used up: %s", async (status) => {
    answer = [status, {}, '{"detail":{"error":"This request exceeds your plan\'s set usage limit."}}'];
    expect(await errorOf(tavily({ base, key: KEY }))).toContain("no searches left");
  });

  it("SearXNG may not allow JSON, and its engines may not answer", async () => {
    answer = [403, {}, "<!doctype html>Forbidden"];
    expect(await errorOf(searxng({ base }))).toContain("search.formats");
    answer = json({
      results: [],
      unresponsive_engines: [
        ["google", "CAPTCHA"],
        ["bing", "timeout"],
      ],
    });
    expect(await errorOf(searxng({ base }))).toContain("(google: CAPTCHA, bing: timeout)");
  });

  it.each(["", "/", "/searx", "/searx/", "/search", "/searx/search"])(
    "SearXNG may be at %j",
    async (path) => {
      answer = json({ results: [] });
      expect(await provider(searxng({ base: `${base}${path}` })).search("cats", options())).toEqual([]);
    },
  );
});

it("a server that is not there: the reason, without the key", async () => {
  const port = await freePort();
  expect(await errorOf(tavily({ base: `http://127.0.0.1:${port}`, key: KEY }))).toContain("ECONNREFUSED");
});

describe("the configuration", () => {
  function configured(search: Partial<Settings["search"]>, keys: Record<string, string> = {}) {
    let settings = settingsSchema.parse({ search });
    const providers = createSearchProviders({
      settings: () => settings,
      key: async (name) => keys[name],
      onChange: () => ({ dispose: () => undefined }),
      fetch,
    });
    return {
      current: async () => (await providers.current())?.name,
      providers,
      set: (next: Partial<Settings["search"]>) => {
        settings = settingsSchema.parse({ search: next });
      },
    };
  }

  it.each<[Partial<Settings["search"]>, Record<string, string>, string | undefined]>([
    [{}, { brave: KEY, tavily: KEY }, undefined],
    [{ provider: "brave" }, { tavily: KEY }, undefined],
    [{ provider: "brave" }, { brave: KEY }, "Brave Search"],
    [{ provider: "tavily" }, { brave: KEY }, undefined],
    [{ provider: "tavily" }, { tavily: KEY }, "Tavily"],
    [{ provider: "searxng" }, {}, undefined],
    [{ provider: "searxng", url: "http://localhost:8080" }, {}, "SearXNG"],
    [{ provider: "searxng", url: "http://user:pw@localhost" }, {}, undefined],
    [{ provider: "searxng", url: "file:///etc" }, {}, undefined],
    [{ provider: "searxng", url: "localhost:8080" }, {}, undefined],
  ])("%j with keys %j: %s", async (search, keys, name) => {
    expect(await configured(search, keys).current()).toBe(name);
  });

  it("gives the same provider until it changes", async () => {
    const { providers, set } = configured({ provider: "searxng", url: "http://a.example" });
    const first = await providers.current();
    expect(await providers.current()).toBe(first);
    set({ provider: "searxng", url: "http://b.example" });
    expect(await providers.current()).not.toBe(first);
  });
});
