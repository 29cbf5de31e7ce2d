/** What the user can choose for a session in place of plain plan and act mode: an agent by its name. */
import type { AgentItem } from "../../shared/agent-list.ts";
import type { Mode } from "../../shared/message.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { Settings } from "../../shared/settings.ts";
import { SOURCE_TITLES } from "../instruction-kinds.ts";
import { findAgent, readAgents } from "../instructions/agent-catalogue.ts";
import type { Agent } from "../instructions/agents.ts";
import type { Host } from "../ports/host.ts";
import { boundedLine } from "../servers/server-text.ts";

/** Characters of a description in a menu. */
const DESCRIPTION_LENGTH = 200;

/** The two modes, which are chosen where agents are, and what other products call them. */
const MODES: Readonly<Record<string, Mode>> = { plan: "plan", act: "act", agent: "act", edit: "act" };

/** The same in files: also the modes of Roo Code. */
const FOREIGN_MODES: Readonly<Record<string, Mode>> = {
  ...MODES,
  code: "act",
  build: "act",
  architect: "plan",
};

interface ChoosingSession {
  chooseAgent(agent: SessionAgent | undefined, models?: readonly string[]): Promise<void>;
  setMode(mode: Mode): Promise<void>;
}

export interface AgentSource {
  host: Host;
  settings(): Settings;
}

/** The agents that the user can choose. */
export async function listAgents({ host, settings }: AgentSource): Promise<AgentItem[]> {
  return (await choosable({ host, settings })).map(({ name, description, file, source, scope, plugin }) => ({
    name,
    description: boundedLine(description, DESCRIPTION_LENGTH),
    file,
    source: plugin?.name ?? SOURCE_TITLES[source],
    scope,
  }));
}

/**
 * Chooses the agent of this name for the session from its next turn on. `plan` and `act` choose the mode, and no agent. Rejects if there is
 * no such agent.
 */
export async function chooseAgent(
  session: ChoosingSession,
  name: string,
  source: AgentSource,
): Promise<void> {
  const agents = await choosable(source);
  const agent = findAgent(agents, name);
  if (agent) return session.chooseAgent(agent.session, agent.models);
  const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
  if (mode === undefined) {
    const names = ["plan", "act", ...agents.map((each) => each.name)].join(", ");
    throw new Error(`there is no agent named ${JSON.stringify(boundedLine(name, 100))}; there are: ${names}`);
  }
  await session.chooseAgent(undefined);
  await session.setMode(mode);
}

/** Chooses what a file asks for: an agent, or plan mode. Act mode is the user's choice alone. False: there is no such agent. */
export async function chooseForFile(
  session: ChoosingSession,
  name: string,
  source: AgentSource,
): Promise<boolean> {
  const mode = Object.hasOwn(FOREIGN_MODES, name) ? FOREIGN_MODES[name] : undefined;
  if (mode === "act") return true;
  const isKnown = mode === "plan" || findAgent(await choosable(source), name) !== undefined;
  if (isKnown) await chooseAgent(session, mode ?? name, source);
  return isKnown;
}

async function choosable({ host, settings }: AgentSource): Promise<Agent[]> {
  return (await readAgents(host, settings().context)).filter(({ byUser }) => byUser);
}
