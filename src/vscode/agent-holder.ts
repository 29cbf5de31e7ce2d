/** The one agent of the window: started when it is first needed, closed when the window closes. */
import type { Agent } from "./bridge.ts";

export interface OpenAgent {
  agent: Agent;
  /** Ends what is under way, and resolves when all that was said is on the disk. */
  close(): Promise<void>;
}

export class AgentHolder {
  readonly #open: () => Promise<OpenAgent>;
  #starting: Promise<OpenAgent> | undefined;
  #closed = false;

  constructor(open: () => Promise<OpenAgent>) {
    this.#open = open;
  }

  /** Starts the agent, or gives the running one. A start that failed is tried again by the next call. */
  async start(): Promise<Agent> {
    if (this.#closed) throw new Error("the window is closing");
    this.#starting ??= this.#open().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return (await this.#starting).agent;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const starting = this.#starting;
    if (!starting) return;
    const open = await starting.catch(() => undefined);
    await open?.close();
  }
}
