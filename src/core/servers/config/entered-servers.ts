/** Reads what the user enters to add servers: a command as typed in a terminal, an address, or JSON as a README shows it. */
import { reasonOf } from "../../../shared/reason.ts";
import { ToolError } from "../../errors.ts";
import { serverName } from "../server-identity.ts";
import { type PastedServer, readPastedServers } from "./pasted-servers.ts";
import { isServerUrl } from "./variables.ts";

/** The beginning of JSON, with or without outer braces, or of a Markdown code block. */
const JSON_START = /^(?:[{[]|```|"[^"]*"\s*:)/;
/** A variable before a command, as in `TOKEN=x npx server`. */
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
/** Programs that run a package. A server is named after the package instead of the program. */
const RUNNERS = new Set([
  "npx",
  "bunx",
  "pnpx",
  "uvx",
  "pipx",
  "docker",
  "podman",
  "node",
  "python",
  "python3",
  "deno",
  "uv",
  "bun",
]);
const CONTAINERS = new Set(["docker", "podman"]);
/** Words after a runner that do not name what it runs. */
const RUNNER_WORDS = new Set(["run", "exec", "tool", "dlx"]);

/** The servers, each with a name. Throws ToolError with a reason if the text has none. */
export function readEnteredServers(text: string, name: string): (PastedServer & { name: string })[] {
  const plain = text.trim();
  const servers = JSON_START.test(plain) ? readPastedServers(plain) : [entered(plain)];
  const chosen = name.trim();
  return servers.map((server) => ({
    ...server,
    name: nameOf(
      chosen !== "" && servers.length === 1 ? chosen : (server.name ?? suggestedName(server.entry)),
    ),
  }));
}

function nameOf(name: string): string {
  const usable = serverName(name);
  if (usable !== undefined) return usable;
  throw new ToolError(`${name} cannot be used as a name.`, reasonOf("unusable-server-name", name));
}

function entered(text: string): PastedServer {
  if (!/\s/.test(text) && isServerUrl(text)) return { name: undefined, entry: { url: text }, inputs: [] };
  const words = wordsOf(text);
  const env: Record<string, string> = {};
  while (words[0] !== undefined) {
    const [, variable, value] = ASSIGNMENT.exec(words[0]) ?? [];
    if (variable === undefined || value === undefined) break;
    env[variable] = value;
    words.shift();
  }
  const [command, ...args] = words;
  if (command === undefined || command === "")
    throw new ToolError("The text has no configuration of an MCP server.", reasonOf("no-server-in-text"));
  const given = Object.keys(env).length > 0 ? { env } : {};
  return { name: undefined, entry: { command, args, ...given }, inputs: [] };
}

/** Words separated by spaces or line breaks; quotes keep words together, and a backslash has no meaning but at a line's end. */
function wordsOf(text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, " ");
  const words: string[] = [];
  for (const [word] of joined.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+|["']/g)) {
    if (word === '"' || word === "'")
      throw new ToolError("A quotation mark is not closed.", reasonOf("quote-not-closed"));
    words.push(
      word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
    );
  }
  return words;
}

function suggestedName({ command, args, url }: PastedServer["entry"]): string {
  if (typeof url === "string") return hostName(url);
  if (typeof command !== "string") return "server";
  const words = Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [];
  const program = baseName(command).replace(/\.(?:exe|cmd|bat)$/i, "");
  const named = words.filter((word) => !word.startsWith("-") && !RUNNER_WORDS.has(word));
  // Options of containers have words of their own.
  const image = CONTAINERS.has(program) ? named.find((word) => /^[^=]+[/:][^=]+$/.test(word)) : undefined;
  const subject = RUNNERS.has(program) ? (image ?? named[0]) : program;
  return baseName(subject ?? program)
    .replace(/(?<=.)[@:].*$/, "")
    .replace(/\.(?:[cm]?js|ts|py)$/, "")
    .replace(/^(?:mcp[-_])?(?:server[-_])?(?=.)|[-_](?:mcp|server|mcp[-_]server)$/g, "");
}

/** `mcp.example.com` and `example.com` are both `example`. */
function hostName(url: string): string {
  const { hostname } = URL.canParse(url) ? new URL(url) : { hostname: "" };
  const labels = /^[\d.]*$|^\[/.test(hostname) ? [] : hostname.split(".");
  return labels.at(-2) ?? labels[0] ?? "server";
}

function baseName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}
