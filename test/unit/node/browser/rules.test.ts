/** Which addresses count as private, what the proxy script answers, and where a browser is looked for. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { BlockList, isIPv4 } from "node:net";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { faultOfBrowser, findBrowser, usualPaths } from "../../../../src/node/browser/find-browser.ts";
import { isPrivateUrl, RequestRules, restrictionsOf } from "../../../../src/node/browser/request-rules.ts";
import type { Lookup } from "../../../../src/node/net/page-request.ts";
import { temporaryFolder } from "../support.ts";

const addresses: Record<string, string[]> = {
  "public.example": ["93.184.216.34"],
  "inside.example": ["93.184.216.34", "10.0.0.5"],
  "six.example": ["fd00::1"],
  "public-six.example": ["93.184.216.34", "2606:2800:220:1::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
};
const resolve: Lookup = (host, _options, done) => {
  const found = addresses[host];
  if (found)
    done(
      null,
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  else done(new Error("ENOTFOUND"), []);
};

describe("an address", () => {
  it.each([
    ["http://127.0.0.1:3000/", true],
    ["http://localhost/", true],
    ["https://app.localhost:8443/", true],
    ["http://[::1]:8080/", true],
    ["http://192.168.1.1/", true],
    ["http://169.254.169.254/latest", true],
    ["http://0x7f000001/", true],
    ["http://2130706433/", true],
    ["http://intranet/", true],
    ["http://printer.local/", true],
    ["http://inside.example/", true],
    ["http://six.example/", true],
    ["http://public.example/", false],
    ["https://93.184.216.34/", false],
    ["http://nowhere.example/", false],
    // A dot at the end, which this system's resolver may not know.
    ["http://localhost./", true],
    ["http://app.localhost.:3000/", true],
    ["http://printer.local./", true],
    ["http://intranet./", true],
  ])("%s is private: %s", async (url, expected) => {
    expect(await isPrivateUrl(url, resolve)).toBe(expected);
  });
});

describe("a request", () => {
  const rules = new RequestRules({
    privateHosts: ["localhost:3000", "intranet"],
    mayRead: async () => false,
    resolve,
  });
  const refusal = (url: string, isDocument = true, page = "about:blank") =>
    rules.refusal({ url, isDocument, page });

  it("goes to public hosts and to those that are listed, with their port", async () => {
    for (const url of [
      "https://public.example/a",
      "http://localhost:3000/b",
      "http://intranet:81/",
      "about:blank",
      "data:,x",
    ]) {
      expect(await refusal(url), url).toBeUndefined();
    }
    for (const url of [
      "http://localhost:3001/",
      "http://127.0.0.1:3000/",
      "http://inside.example/",
      "ws://10.0.0.1/",
    ]) {
      expect(await refusal(url), url).toContain("private network");
    }
    expect(await refusal("chrome://settings/")).toContain("chrome: addresses are not opened");
  });

  it("of a development server's page goes to other ports of this machine, and of no other page", async () => {
    const other = "http://localhost:8080/api";
    expect(await refusal(other, false, "http://localhost:3000/")).toBeUndefined();
    for (const page of ["https://public.example/", "http://localhost:9/", "http://intranet/"]) {
      expect(await refusal(other, false, page), page).toContain("private network");
    }
    expect(await refusal("http://10.0.0.1/", false, "http://localhost:3000/")).toContain("private network");
  });
});

/** Chromium compares addresses of two families in their IPv6 forms, so that every IPv4 address is in `::ffff:0:0/96`. */
function isInNetAsInChromium(address: string, range: string): boolean {
  const mapped = (text: string) => (isIPv4(text) ? `::ffff:${text}` : text);
  const [network = "", bits = ""] = range.split("/");
  const list = new BlockList();
  list.addSubnet(mapped(network), Number(bits) + (isIPv4(network) ? 96 : 0), "ipv6");
  return list.check(mapped(address), "ipv6");
}

describe("the proxy script", () => {
  const ask = (url: string, privateHosts: string[], environment: NodeJS.ProcessEnv = {}, first = url) => {
    const [pac = "", ...rest] = restrictionsOf({ url: first, privateHosts }, environment);
    const script = Buffer.from(pac.slice(pac.indexOf("base64,") + 7), "base64").toString();
    const { hostname: host } = new URL(url);
    const functions = {
      dnsResolveEx: (name: string) => (addresses[name] ?? []).join(";"),
      isInNetEx: isInNetAsInChromium,
    };
    const answer: unknown = runInNewContext(
      `${script};FindProxyForURL(${JSON.stringify(url)}, ${JSON.stringify(host)})`,
      functions,
    );
    return { answer, rest };
  };

  it("refuses names that resolve to private addresses, unless they are listed", () => {
    expect(ask("http://inside.example/", []).answer).toBe("PROXY 0.0.0.0:1");
    expect(ask("http://six.example/", []).answer).toBe("PROXY 0.0.0.0:1");
    expect(ask("http://inside.example/", ["inside.example:80"]).answer).toBe("DIRECT");
    expect(ask("ws://inside.example:8443/a:80/", ["inside.example:80"]).answer).toBe("PROXY 0.0.0.0:1");
    expect(ask("wss://inside.example/", ["inside.example:80"]).answer).toBe("PROXY 0.0.0.0:1");
    expect(ask("wss://inside.example/", ["Inside.example:443"]).answer).toBe("DIRECT");
    expect(ask("ws://inside.example:8443/", ["inside.example"]).answer).toBe("DIRECT");
    expect(ask("http://public.example/", []).answer).toBe("DIRECT");
    expect(ask("http://public-six.example/", []).answer).toBe("DIRECT");
    expect(ask("http://mapped.example/", []).answer).toBe("PROXY 0.0.0.0:1");
  });

  it("uses the proxies of the environment", () => {
    const environment = { http_proxy: "http://proxy:8080", HTTPS_PROXY: "https://secure:8443" };
    expect(ask("http://public.example/", [], environment).answer).toBe("PROXY proxy:8080");
    expect(ask("https://public.example/", [], environment).answer).toBe("HTTPS secure:8443");
  });

  it("comes with names of this machine that do not resolve, except those that are listed", () => {
    const rules = (first: string, privateHosts: string[]) => ask(first, privateHosts).rest.join("\n");
    expect(rules("http://public.example/", ["intranet"])).toContain("=MAP localhost ~NOTFOUND");
    expect(rules("http://public.example/", ["localhost:3000", "[::1]", "127.0.0.1"])).toContain(
      "=MAP localhost:3000 localhost:3000, MAP ::1 ::1, MAP 127.0.0.1 127.0.0.1, MAP localhost ~NOTFOUND",
    );
    // The page of a development server uses other servers of this machine.
    expect(rules("http://localhost:3000/", ["localhost:3000"])).not.toContain("MAP");
    expect(rules("http://localhost:3001/", ["localhost:3000"])).toContain("MAP localhost ~NOTFOUND");
  });
});

describe("a browser", () => {
  it("is found on PATH, but not inside the workspace or through a link of it", async () => {
    const folder = await temporaryFolder();
    const outside = path.join(folder, "bin");
    const root = path.join(folder, "project");
    await mkdir(outside);
    await mkdir(root);
    for (const place of [outside, root]) {
      await writeFile(path.join(place, "google-chrome"), "#!/bin/sh\n");
      await chmod(path.join(place, "google-chrome"), 0o755);
    }
    const found = (...entries: string[]) =>
      findBrowser({ environment: { PATH: entries.join(path.delimiter) }, roots: [root], platform: "linux" });
    expect(found(root, outside)).toBe(path.join(outside, "google-chrome"));
    const linked = path.join(folder, "linked");
    await symlink(root, linked);
    expect(found(linked, outside)).toBe(path.join(outside, "google-chrome"));
    expect(faultOfBrowser(path.join(outside, "google-chrome"), [root])).toBeUndefined();
    expect(faultOfBrowser(path.join(root, "google-chrome"), [root])).toBe("it is inside the workspace");
    expect(faultOfBrowser(path.join(outside, "none"), [root])).toBe("there is no such program");
    expect(faultOfBrowser("google-chrome", [root])).toBe("it is not an absolute path");
  });

  it("is looked for where installers put it on each system", () => {
    expect(usualPaths({ HOME: "/Users/mia" }, "darwin")).toContain(
      "/Users/mia/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    );
    expect(usualPaths({ "ProgramFiles(x86)": "C:\\Program Files (x86)" }, "win32")).toEqual([
      "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
      "C:\\Program Files (x86)\\Chromium\\Application\\chrome.exe",
      "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    ]);
    expect(usualPaths({}, "linux")).toContain("/opt/google/chrome/chrome");
  });
});
