/** The configured connections, and the check whether one works and has a model, which the user starts. */
import { useCallback, useEffect, useState } from "react";
import type { ConnectionProblem } from "../../src/shared/models/connection-problem.ts";
import type { Result } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";

export type Check =
  | { state: "none" }
  | { state: "checking" }
  | { state: "works"; count: number }
  | { state: "fails"; problem: ConnectionProblem };

export function useCheck(): Check & { run(connection: string, model?: string): void } {
  const { actions } = usePanel();
  const [check, setCheck] = useState<Check>({ state: "none" });
  const run = async (name: string, model: string | undefined) => {
    setCheck({ state: "checking" });
    const answer = await actions.ask("connections/test", model === undefined ? { name } : { name, model });
    if (!answer) setCheck({ state: "none" });
    else if (answer.problem) setCheck({ state: "fails", problem: answer.problem });
    else setCheck({ state: "works", count: answer.count });
  };
  return { ...check, run: (connection, model) => void run(connection, model) };
}

/** null: not known yet. */
export function useConnections(): { known: Result<"models/list"> | null; reload(): void } {
  const { actions } = usePanel();
  const [known, setKnown] = useState<Result<"models/list"> | null>(null);
  const load = useCallback(async () => {
    const answer = await actions.ask("models/list", {});
    if (answer) setKnown(answer);
  }, [actions]);
  useEffect(() => void load(), [load]);
  return { known, reload: () => void load() };
}
