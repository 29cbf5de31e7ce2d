// What the administrator of a computer allows, and telemetry.

const CEILING = ["unit test/unit/core/policy/ceiling.test.ts"];
const AGENT = ["unit test/unit/core/policy/managed-agent.test.ts"];
const PARTS = ["unit test/unit/node/policy/managed-parts.test.ts"];
const FILE = ["unit test/unit/node/policy/read-policy.test.ts"];
const TELEMETRY = ["unit test/unit/node/telemetry/telemetry.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a setting of the user lifts the administrator's ceiling",
    file: "src/core/policy/admin-policy.ts",
    find: "if (under[name] && !ceiling.access[name]) under[name] = false;",
    replace: "if (under[name] === undefined && !ceiling.access[name]) under[name] = false;",
    property: 1,
    tests: CEILING,
  },
  {
    name: "a tool that the user always allows runs although the administrator wants to be asked about it",
    file: "src/core/safety/policy.ts",
    find: "always: server.always && access.mcp",
    replace: "always: server.always",
    property: 1,
    tests: CEILING,
  },
  {
    name: "a listed command leaves the sandbox that the administrator requires",
    file: "src/core/safety/policy.ts",
    find: "command.isListed === true && access.commandSafe && !needsSandbox",
    replace: "command.isListed === true && access.commandSafe",
    property: 18,
    tests: CEILING,
  },
  {
    name: "a ceiling lets run what would ask without it",
    file: "src/core/safety/policy.ts",
    find: `if (own.decision === "ask" && managed.decision === "allow") return own;`,
    replace: "",
    property: 1,
    tests: CEILING,
  },
  {
    name: "a session shows and stores more permission than the administrator allows",
    file: "src/core/agent/session.ts",
    find: "const allowed = classes && accessUnder(classes, ceilingOf(this.#deps.host.policy));",
    replace: "const allowed = classes;",
    property: "src/core/agent",
    tests: AGENT,
  },
  {
    name: "a request goes to an endpoint that the administrator does not allow",
    file: "src/core/provider/connect/connection-fetch.ts",
    find: "return host.policy ? managedFetch(host.policy, send ?? fetch) : send;",
    replace: "return send;",
    property: 1,
    tests: AGENT,
  },
  {
    name: "a task continues past the cost that the administrator allows",
    file: "src/core/loop/limits/limits.ts",
    find: "const managed = managedLimit(caps, { ...spending, task: parent ? parent.cost() : spending.task });",
    replace:
      "const managed = managedLimit(caps, { ...spending, task: (parent ? parent.cost() : spending.task) - this.#costAccepted });",
    property: 1,
    tests: AGENT,
  },
  {
    name: "a server starts that the administrator does not allow",
    file: "src/core/servers/content-hashes.ts",
    find: "return allowsHash(policy.servers, hash) ?",
    replace: `return policy.servers !== "off" || allowsHash(policy.servers, hash) ?`,
    property: 1,
    tests: PARTS,
  },
  {
    name: "a hook that the user approved runs although the administrator does not allow it",
    file: "src/core/hooks/project-hooks.ts",
    find: "if (!policy || allowsHash(policy.hooks, content.hash)) return content;",
    replace: `if (!policy || policy.hooks !== "off") return content;`,
    property: 1,
    tests: PARTS,
  },
  {
    name: "a policy that others can write counts",
    file: "src/node/policy/read-policy.ts",
    find: "return stats.uid !== 0 || isShared;",
    replace: "return stats.uid !== 0 && isShared;",
    property: 1,
    tests: FILE,
  },
  {
    name: "variables of the environment switch telemetry on",
    file: "src/node/telemetry/telemetry-target.ts",
    find: `    case "off":
      return undefined;`,
    replace: `    case "off":
      if (environment.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
      return { endpoint: environment.OTEL_EXPORTER_OTLP_ENDPOINT, headers: {}, content };`,
    property: 17,
    tests: TELEMETRY,
  },
  {
    name: "a workspace switches telemetry on",
    file: "src/shared/settings.ts",
    find: `  "context.maxFiles",
  "context.autoCondense",`,
    replace: `  "telemetry.export",
  "context.maxFiles",
  "context.autoCondense",`,
    property: 17,
    tests: TELEMETRY,
  },
  {
    name: "contents are exported unasked",
    file: "src/core/telemetry/task-telemetry.ts",
    find: `...(this.#deps.content ? { "gen_ai.tool.call.arguments"`,
    replace: `...(callId ? { "gen_ai.tool.call.arguments"`,
    property: "src/core",
    tests: TELEMETRY,
  },
];
