/** What identifies a user, a machine or a company does not survive, and what helps to find a fault does. */
import { expect, it } from "vitest";
import { createRedactor } from "../../../../src/core/issue-report/redact.ts";

const redact = createRedactor({
  secrets: ["correct-horse-battery"],
  roots: ["/home/mariko/src/acme merger", "C:\\Users\\mariko\\acme"],
  home: "/home/mariko",
  names: ["mariko", "MARIKO-PC", "llm.acme.example", "li", "root"],
  labels: ["acme-gateway", "files"],
});

it.each([
  // Keys, also those that nobody named.
  ["401: key correct-horse-battery is wrong", "401: key [secret] is wrong"],
  ["401: sk-proj-abcdefghijklmnopqrstuvwx", "401: [secret removed by Nekode]"],
  ["token 9f86d081884c7d659a2feaa0c55ad015", "token [secret]"],
  // Paths.
  ["ENOENT: open '/home/mariko/src/acme merger/src/a.ts'", "ENOENT: open '[workspace]/src/a.ts'"],
  ["EACCES: '/home/mariko/other/secret.json'", "EACCES: '~/…/secret.json'"],
  ["EACCES: /home/mariko/other-plans", "EACCES: ~/…"],
  ["EACCES: /srv/acme/plans/notes.md, /Users/ken/x", "EACCES: /…/notes.md, /…"],
  ["at C:\\Users\\mariko\\acme\\b.ts and C:\\\\Users\\\\ken\\\\c.ts", "at [workspace]\\b.ts and /…/c.ts"],
  ["\\\\filer\\acme\\d.txt", "/…/d.txt"],
  ["spawn /usr/bin/bwrap ENOENT", "spawn /usr/bin/bwrap ENOENT"],
  // Addresses and hosts.
  ["fetch https://u:pw@llm.acme.example:8443/v1/x?key=1 failed", "fetch [address] failed"],
  ["getaddrinfo ENOTFOUND gpu-box", "getaddrinfo ENOTFOUND [address]"],
  ["connect ECONNREFUSED 10.1.2.3:8080", "connect ECONNREFUSED [address]"],
  ["connect to 192.168.7.9 and fe80::1ff:fe23:4567:890a", "connect to [address] and [address]"],
  ["the certificate is for *.corp.acme.example", "the certificate is for [address]"],
  ["hosts .corp.acme.example, pool/llm.acme.example", "hosts [address], pool/[name]"],
  ["write to mariko@acme.example", "write to [address]"],
  // Names, also as parts of words if they are long enough.
  [
    "user Mariko on mariko-pc, backup_mariko2, li, list",
    "user [name] on [name], backup_[name]2, [name], list",
  ],
  ["acme-gateway/files: profiles of root", "[name]/[name]: profiles of root"],
  // Parts of a conversation.
  [
    'bad value "Write a letter to the board about the merger of Acme" in messages[3]',
    'bad value "…" in messages[3]',
  ],
  // What helps.
  [
    "TypeError: Cannot read properties of undefined (reading 'length')",
    "TypeError: Cannot read properties of undefined (reading 'length')",
  ],
  ["400: settings.json, version 1.2.3, 127.0.0.1", "400: settings.json, version 1.2.3, 127.0.0.1"],
])("%s", (text, expected) => {
  expect(redact(text)).toBe(expected);
});

it("returns one line of at most 300 characters", () => {
  expect(redact("a\n\tb \u202e\u0000c")).toBe("a b c");
  expect(redact("word ".repeat(1_000))).toHaveLength(300);
});

it("takes little time for hostile text", () => {
  for (const text of ["a.".repeat(50_000), "/a".repeat(50_000), '"'.repeat(100_000), "1:".repeat(50_000)])
    expect(redact(text).length).toBeLessThanOrEqual(300);
});
