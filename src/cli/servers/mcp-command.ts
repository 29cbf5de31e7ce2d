/** `nekode mcp`: lists, adds, removes, approves and tests MCP servers, and signs in to them. */
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { ToolError } from "../../core/errors.ts";
import type { ServerConnection, ServerConnector, ServerLaunch } from "../../core/ports/servers.ts";
import {
  checkServer,
  type PastedServer,
  readPastedServers,
} from "../../core/servers/config/pasted-servers.ts";
import { serverName } from "../../core/servers/server-identity.ts";
import { forgetServer } from "../../core/servers/server-records.ts";
import type { ConfigProblem, ServerDefinition, ServerOffer, Trust } from "../../core/servers/server-types.ts";
import type { ServerSetup } from "../../node/config/server-setup.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine, type Screen } from "../screen.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { McpAction } from "./mcp-options.ts";
import { askTrust, howToApprove, problemLine, trustLines } from "./server-lines.ts";

/** What the commands of `nekode mcp` work with. */
interface McpHost {
  setup: ServerSetup;
  connector: ServerConnector;
  screen: Screen;
  /** undefined: there is nobody to ask. */
  terminal: Terminal | undefined;
  stdin: NodeJS.ReadableStream;
  t: Translate;
  signal: AbortSignal;
}

type Action = Exclude<McpAction, { kind: "help" }>;

/** Resolves with the exit code. Rejects with UsageError, ToolError or Interrupt. */
export async function runMcp(action: Action, json: boolean, host: McpHost): Promise<number> {
  return new McpCommand(host).run(action, json);
}

class McpCommand {
  readonly #host: McpHost;

  constructor(host: McpHost) {
    this.#host = host;
  }

  async run(action: Action, json: boolean): Promise<number> {
    switch (action.kind) {
      case "list":
        return this.#list(json);
      case "add":
        return this.#add([{ name: action.name, entry: { ...action.entry }, inputs: [] }]);
      case "add-from":
        return this.#add(await this.#pasted(action.file, action.name));
      case "approve":
        return this.#approve(action.name);
      case "remove":
        return this.#remove(action.name);
      case "login":
        return this.#login(await this.#find(action.name));
      case "logout":
        return this.#logout(await this.#find(action.name));
      case "test":
        return this.#test(action.name);
    }
  }

  async #list(json: boolean): Promise<number> {
    const { setup, screen, t } = this.#host;
    const { servers, problems } = await setup.config.load();
    for (const server of servers) {
      const { state } = await setup.records.trustOf(server);
      await screen.out(json ? jsonLine(listed(server, state)) : `${textLine(server, state, t)}\n`);
    }
    await this.#report(problems);
    if (servers.length === 0 && !json)
      await screen.err(`${t("No MCP server is configured. To add one: {0}", "nekode mcp add")}\n`);
    return EXIT_CODE.completed;
  }

  /** Names problems on standard error. */
  async #report(problems: readonly ConfigProblem[]): Promise<void> {
    const { screen, t } = this.#host;
    for (const problem of problems) await screen.err(`${problemLine(problem, t)}\n`);
  }

  async #pasted(file: string, name: string | undefined): Promise<PastedServer[]> {
    const text = file === "-" ? await readText(this.#host.stdin) : await readFile(file, "utf8");
    const servers = readPastedServers(text);
    if (name !== undefined && servers.length > 1) {
      const names = servers.map((each) => each.name ?? "").join(", ");
      throw new UsageError(`NAME can be given for a single server; the text has ${servers.length}: ${names}`);
    }
    return servers.map((each) => ({ ...each, name: name ?? nameOf(each) }));
  }

  /** Adds all of them, or none if one is not usable. */
  async #add(servers: readonly PastedServer[]): Promise<number> {
    const { setup, screen, t } = this.#host;
    for (const server of servers) {
      const { problems, notes } = checkServer(server);
      const words = [...problems, ...notes].map((reason) => reasonWords(t, reason));
      for (const each of words) await screen.err(`nekode: ${oneLine(server.name ?? "")}: ${oneLine(each)}\n`);
      if (problems.length > 0) return EXIT_CODE.error;
    }
    let code: number = EXIT_CODE.completed;
    for (const { name = "", ...server } of servers) {
      if (await setup.entries.add(name, server)) {
        await screen.out(`${t("Added {0} to {1}", name, oneLine(setup.userFile))}\n`);
        continue;
      }
      const remove = `nekode mcp remove ${name}`;
      await screen.err(
        `nekode: ${t("{0} already has a server named {1}. To replace it, first run: {2}", oneLine(setup.userFile), name, remove)}\n`,
      );
      code = EXIT_CODE.error;
    }
    return code;
  }

  async #approve(name: string): Promise<number> {
    const { setup, screen, t } = this.#host;
    const server = await this.#find(name);
    const trust = await setup.records.trustOf(server);
    if (trust.state === "trusted") {
      await screen.out(`${t("{0} requires no approval.", name)}\n`);
      return EXIT_CODE.completed;
    }
    await screen.out(trustLines(server, trust, t));
    await setup.records.trust(server);
    await screen.out(`${t("Approved {0}. It starts when a session needs it.", name)}\n`);
    return EXIT_CODE.completed;
  }

  async #remove(name: string): Promise<number> {
    const { setup, connector, screen, t } = this.#host;
    const { servers } = await setup.config.load();
    const known = servers.find((each) => each.name === serverName(name));
    const forget = (server: ServerDefinition) => {
      const others = servers.filter((each) => each !== server);
      return forgetServer(server, others, { ...setup, connector });
    };
    if (await setup.entries.remove(name)) {
      if (known?.source === "user") await forget(known);
      await screen.out(`${t("Removed {0} from {1}", oneLine(name), oneLine(setup.userFile))}\n`);
      return EXIT_CODE.completed;
    }
    const server = known ?? (await this.#find(name));
    await forget(server);
    await screen.out(
      `${t("{0} is configured in {1}, which was not changed. Its approval was removed.", server.name, oneLine(server.file))}\n`,
    );
    return EXIT_CODE.completed;
  }

  async #login(server: ServerDefinition): Promise<number> {
    const { setup, screen, t, signal } = this.#host;
    const { name, launch, inputs } = server;
    if (!(await this.#isApproved(server))) return EXIT_CODE.unanswered;
    if (launch.type === "stdio" && inputs.length === 0) {
      await screen.out(`${t("{0} is a local server, which requires no sign-in.", name)}\n`);
      return EXIT_CODE.completed;
    }
    await setup.inputs.forget(server);
    const resolved = await setup.resolve(server, signal);
    if (resolved.type !== "stdio") await this.#signIn(server, resolved);
    const done =
      resolved.type === "stdio" ? t("Saved the values for {0}.", name) : t("Signed in to {0}.", name);
    await screen.out(`${done}\n`);
    return EXIT_CODE.completed;
  }

  /** Deletes the sign-in and the values that the user entered, and prints what was deleted. */
  async #logout(server: ServerDefinition): Promise<number> {
    const { setup, connector, screen, t } = this.#host;
    const { name, launch } = server;
    const done: string[] = [];
    const url = await setup.knownUrl(server);
    if (url !== undefined && (await connector.isSignedIn(url))) {
      await connector.signOut(url);
      done.push(t("Signed out of {0}.", name));
    }
    if (await setup.inputs.isEntered(server)) {
      await setup.inputs.forget(server);
      done.push(t("Forgot the values that you entered for {0}.", name));
    }
    if (done.length === 0)
      done.push(
        launch.type === "stdio" && server.inputs.length === 0
          ? t("{0} is a local server, which requires no sign-in.", name)
          : t("You are not signed in to {0}.", name),
      );
    for (const line of done) await screen.out(`${line}\n`);
    return EXIT_CODE.completed;
  }

  /** Rejects with ToolError in the user's language, or with Interrupt. */
  async #signIn({ name }: ServerDefinition, launch: ServerLaunch): Promise<void> {
    const { connector, t, signal } = this.#host;
    try {
      await connector.signIn(name, launch, signal);
    } catch (error) {
      if (!(error instanceof ToolError && error.fault)) throw error;
      throw new ToolError(t("Signing in to {0} failed: {1}", name, reasonWords(t, error.fault)));
    }
  }

  async #test(name: string): Promise<number> {
    const server = await this.#find(name);
    if (!(await this.#isApproved(server))) return EXIT_CODE.unanswered;
    await testServer(server, this.#host);
    return EXIT_CODE.completed;
  }

  /** Asks for the approval of a project's server. */
  async #isApproved(server: ServerDefinition): Promise<boolean> {
    const { setup, screen, terminal, t, signal } = this.#host;
    const trust = await setup.records.trustOf(server);
    if (trust.state === "trusted") return true;
    await screen.err(trustLines(server, trust, t));
    if (!terminal) {
      await screen.err(howToApprove(server.name, t));
      return false;
    }
    if (!(await askTrust(terminal, t, signal))) return false;
    await setup.records.trust(server);
    return true;
  }

  /** The configured server. Throws ToolError, after naming what is wrong in the files. */
  async #find(name: string): Promise<ServerDefinition> {
    const { setup, t } = this.#host;
    const { servers, problems } = await setup.config.load();
    const server = servers.find((each) => each.name === serverName(name));
    if (server) return server;
    await this.#report(problems);
    const names = servers.map((each) => each.name).join(", ");
    throw new ToolError(
      names === ""
        ? t("There is no MCP server named {0}.", oneLine(name))
        : t("There is no MCP server named {0}. Configured servers: {1}", oneLine(name), names),
    );
  }
}

function nameOf({ name }: PastedServer): string {
  const usable = name === undefined ? undefined : serverName(name);
  if (usable !== undefined) return usable;
  throw new UsageError(
    name === undefined
      ? "the text has no name for the server; specify one: nekode mcp add NAME --from FILE"
      : `${JSON.stringify(name)} cannot be used as a name; specify another: nekode mcp add NAME --from FILE`,
  );
}

type TrustState = Trust["state"];
const APPROVALS = { trusted: "approved", new: "required", changed: "changed" } as const;

function listed({ name, source, file, line, launch, disabled }: ServerDefinition, trust: TrustState) {
  const what =
    launch.type === "stdio" ? { command: launch.command, args: launch.args } : { url: plainUrl(launch.url) };
  return { name, source, file, line, type: launch.type, ...what, disabled, approval: APPROVALS[trust] };
}

function textLine(
  { name, file, line, launch, disabled }: ServerDefinition,
  trust: TrustState,
  t: Translate,
): string {
  const states = {
    trusted: t("enabled"),
    new: t("requires approval"),
    changed: t("changed, requires approval"),
  };
  const what = launch.type === "stdio" ? [launch.command, ...launch.args].join(" ") : plainUrl(launch.url);
  const state = disabled ? t("disabled") : states[trust];
  return `${name}  ${state}  ${oneLine(what)}  (${oneLine(file)}:${line})`;
}

/** Without query and credentials, which may be secret. */
function plainUrl(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/\/\/[^/@]*@/, "//");
}

/** Milliseconds for the start of a server that is tested: package runners download the server first. */
const START_TIMEOUT_MS = 60_000;

/** Connects to a server, prints what it offers, and disconnects. Rejects with ToolError if it cannot be used, or with Interrupt. */
async function testServer(server: ServerDefinition, host: McpHost): Promise<void> {
  const { setup, connector, screen, t, signal } = host;
  const launch = await setup.resolve(server, signal);
  const events = {
    log: (line: string) => void screen.err(`${oneLine(line)}\n`),
    changed: () => {},
    ask: async () => ({ action: "decline" as const }),
    roots: () => [],
  };
  const connection = await connector.connect(server.name, launch, events, {
    signal,
    timeoutMs: START_TIMEOUT_MS,
  });
  try {
    const { name, version, protocol } = connection.info;
    await screen.out(`${oneLine(`${name} ${version}`)} (MCP ${oneLine(protocol)})\n`);
    const offer = await offerOf(connection, signal);
    await setup.records.setLastOffer(server, offer);
    for (const [heading, items] of [
      [t("Tools"), offer.tools],
      [t("Resources"), [...offer.resources.map(listItemOf), ...offer.templates.map(listItemOf)]],
      [t("Prompts"), offer.prompts],
    ] as const) {
      await screen.out(`${heading}: ${items.length}\n`);
      for (const item of items)
        await screen.out(`  ${oneLine(item.name)}${descriptionLine(item.description)}\n`);
    }
  } finally {
    await connection.close();
  }
}

async function offerOf(connection: ServerConnection, signal: AbortSignal): Promise<ServerOffer> {
  const { instructions } = connection.info;
  return {
    ...(instructions === undefined ? {} : { instructions }),
    tools: await connection.tools(signal),
    resources: await connection.resources(signal),
    templates: await connection.resourceTemplates(signal),
    prompts: await connection.prompts(signal),
  };
}

/** A resource is identified by its address. */
function listItemOf(resource: { name: string } & ({ uri: string } | { uriTemplate: string })) {
  return { name: "uri" in resource ? resource.uri : resource.uriTemplate, description: resource.name };
}

/** The first line of a description. */
function descriptionLine(text: string | undefined): string {
  const first = text?.trim().split("\n")[0] ?? "";
  return first === "" ? "" : `  ${oneLine(first)}`;
}
