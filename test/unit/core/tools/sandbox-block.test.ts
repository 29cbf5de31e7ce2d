/** What the output of a command in the sandbox tells of why it failed. */
import { expect, it } from "vitest";
import { ownPortsText, sandboxBlock, sandboxBlockText } from "../../../../src/core/tools/sandbox-block.ts";

it.each([
  ["curl: (6) Could not resolve host: example.com", { kind: "network" }],
  ["curl: (7) Failed to connect to 192.0.2.1 port 80 after 0 ms", { kind: "network" }],
  ["curl: (7) Failed to connect to localhost port 3000 after 0 ms", undefined],
  ["npm error code EAI_AGAIN\nnpm error request to https://registry.example failed", { kind: "network" }],
  ["fatal: unable to access 'https://example.com/x/': Could not resolve host", { kind: "network" }],
  [
    "/bin/bash: line 1: /home/mia/.config/x: Read-only file system",
    { kind: "write", path: "/home/mia/.config/x" },
  ],
  ["Error: EROFS: read-only file system, open '/etc/hosts'", { kind: "write", path: "/etc/hosts" }],
  ["mv: cannot move '.git' to '.git2': Device or resource busy", { kind: "write", path: ".git" }],
  ["cat: .env: Permission denied", { kind: "access" }],
  ["Error: EACCES: permission denied, open './.env'", { kind: "access", path: "./.env" }],
  ["1 test failed: expected 1 to be 2", undefined],
  ["", undefined],
])("%s", (output, block) => {
  expect(sandboxBlock(output)).toEqual(block);
});

it("tells the model what to do", () => {
  expect(sandboxBlockText({ kind: "write", path: "/x" })).toMatch(
    /blocked writing to \/x\. .*outside_sandbox true.* runs outside/,
  );
  expect(sandboxBlockText({ kind: "network" })).toMatch(
    / the network\. .* network true.* stays in the sandbox/,
  );
});

it("does not blame the sandbox for a network that the command had", () => {
  expect(sandboxBlock("curl: (6) Could not resolve host: example.com", true)).toBeUndefined();
  expect(sandboxBlock("docker: Operation not permitted", true)).toEqual({ kind: "access" });
});

it("says how to use a server where a command could not reach one, or may be one", () => {
  const says = /only ports on which it listens itself: .* in one command, or .*outside_sandbox true/;
  expect(ownPortsText("curl: (7) Failed to connect to localhost port 3000 after 0 ms", "failed")).toMatch(
    says,
  );
  expect(ownPortsText("Error: connect ECONNREFUSED 127.0.0.1:3000", "failed")).toMatch(says);
  expect(ownPortsText("1 test failed", "failed")).toBeUndefined();
  expect(ownPortsText("ready", "background")).toMatch(says);
});
