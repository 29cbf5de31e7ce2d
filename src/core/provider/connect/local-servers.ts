/** Finds model servers on this machine, at the ports that they use unless configured otherwise. */
import { CONNECTION_PRESETS, type PresetId } from "../../../shared/models/connection-presets.ts";
import type { FoundServer } from "../../../shared/models/model-protocol.ts";
import { askModels, type CheckDeps } from "./check-connection.ts";

/** A server on this machine answers in a few milliseconds; one that loads a model still lists it. */
const DEADLINE_MS = 2_000;

export type LocalPorts = readonly { preset: PresetId; port: number }[];

export const LOCAL_PORTS: LocalPorts = CONNECTION_PRESETS.flatMap(({ id, port }) =>
  port === undefined ? [] : [{ preset: id, port }],
);

/** Asks all ports at once, on the loopback address alone and without a key. Servers that list no models are included. */
export async function findLocalServers(
  ports: LocalPorts,
  deps: CheckDeps,
  outer: AbortSignal,
): Promise<FoundServer[]> {
  const deadline = new AbortController();
  const timer = deps.clock.after(DEADLINE_MS, () => deadline.abort());
  const signal = AbortSignal.any([outer, deadline.signal]);
  try {
    const found = await Promise.all(
      ports.map(async ({ preset, port }): Promise<FoundServer[]> => {
        const baseUrl = `http://127.0.0.1:${port}/v1`;
        const connection = { api: "chat" as const, baseUrl, headers: {} };
        // A port that nothing answers at in time is one without a server.
        const checked = await askModels(connection, undefined, deps, signal).catch(() => undefined);
        if (!checked) return [];
        if ("models" in checked) return [{ preset, baseUrl, models: checked.models }];
        return checked.problem.code === "no-models" ? [{ preset, baseUrl, models: [] }] : [];
      }),
    );
    return found.flat();
  } finally {
    timer.dispose();
  }
}
