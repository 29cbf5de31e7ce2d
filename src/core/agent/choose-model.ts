/** Chooses the model of a session. */
import type { Mode } from "../../shared/message.ts";
import { modelName } from "../../shared/models/connection.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { Host } from "../ports/host.ts";

/**
 * Chooses the model of a mode from the next request on. A notice reports it if another model now answers in a session that has
 * messages. `name`: see `TaskManager.chooseModel`.
 */
export function chooseModel(
  transcript: Transcript,
  { mode, name }: { mode: Mode; name: string },
  { host, settings }: { host: Pick<Host, "newId">; settings(): Settings },
): void {
  const answering = () => modelName(transcript.modelChoice(settings()));
  const before = answering();
  transcript.chooseModel(mode, name);
  if (!transcript.isStored || answering() === before) return;
  transcript.emit({ type: "notice", id: host.newId(), code: "model-changed", values: [answering(), mode] });
}
