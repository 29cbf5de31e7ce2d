/** What the user can choose for a session in place of plain plan and act mode: an agent by its name. */
import type { AgentItem } from "../../shared/agent-list.ts";
import type { Mode } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { SOURCE_TITLES } from "../instruction-kinds.ts";
import { findAgent, readAgents } from "../instructions/agent-catalogue.ts";
import type { Agent } from "../instructions/agents.ts";
import type { Host } from "../ports/host.ts";
import { boundedLine } from "../servers/server-text.ts";
import type { Session } from "./session.ts";

/** Characters of a description in a menu. */
const DESCRIPTION_LENGTH = 200;

/** The two modes, which are chosen where agents are, and what other products call them. */
const MODES: Readonly<Record<string, Mode>> = { plan: "plan", act: "act", agent: "act", edit: "act" };

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
  session: Pick<Session, "chooseAgent" | "setMode">,
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

async function choosable({ host, settings }: AgentSource): Promise<Agent[]> {
  return (await readAgents(host, settings().context)).filter(({ byUser }) => byUser);
}
