/** Finds model servers on this machine, at the ports that they use unless configured otherwise. */
import { connectionSchema } from "../../../shared/models/connection.ts";
import { CONNECTION_PRESETS } from "../../../shared/models/connection-presets.ts";
import type { FoundServer } from "../../../shared/models/model-protocol.ts";
import type { PresetId } from "../../../shared/models/preset-ids.ts";
import { Interrupt } from "../../errors.ts";
import { askModels, type ConnectionCheckDeps } from "./check-connection.ts";

/** A server on this machine lists its models in milliseconds, also while it loads one. */
const DEADLINE_MS = 3_000;

export type LocalPorts = readonly { preset: PresetId; port: number }[];

export const LOCAL_PORTS: LocalPorts = CONNECTION_PRESETS.flatMap(({ id, port }) =>
  port === undefined ? [] : [{ preset: id, port }],
);

/** Asks all ports at once, on the loopback address alone and without a key. Servers without a model are included. */
export async function findServers(
  ports: LocalPorts,
  deps: ConnectionCheckDeps,
  signal: AbortSignal,
): Promise<FoundServer[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  const answers = await Promise.all(
    ports.map(async ({ preset, port }): Promise<FoundServer[]> => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      try {
        const checked = await askModels(
          connectionSchema.parse({ name: preset, baseUrl }),
          undefined,
          deps,
          limit,
        );
        if ("models" in checked)
          return [
            { preset, baseUrl, models: checked.models.map(({ name }) => name.slice(preset.length + 1)) },
          ];
        return checked.problem.code === "no-models" ? [{ preset, baseUrl, models: [] }] : [];
      } catch (error) {
        // Something that accepts connections and does not answer is no model server.
        if (error instanceof Interrupt && !signal.aborted) return [];
        throw error;
      }
    }),
  );
  return answers.flat();
}
