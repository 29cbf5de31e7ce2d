/** Writes a session in one of the formats for other programs and for people. */
import type { ExportFormat } from "../../../shared/history/history-protocol.ts";
import type { Translate } from "../../../shared/words/task-words.ts";
import { maskedJson } from "../../secrets.ts";
import { toJson, toMarkdown } from "../exchange.ts";
import type { StoredSession } from "../session-store.ts";
import { toAtif } from "./atif.ts";
import type { ExportFile } from "./export-images.ts";
import { toScript } from "./script.ts";

export interface ExportedSession {
  /** Suggested name of the file. */
  name: string;
  text: string;
  /** Files that belong beside it; their paths are relative to it. */
  files: readonly ExportFile[];
}

export interface ExportParts {
  t: Translate;
  /** Nekode's version. */
  version: string;
  /** Removes secrets. Used for exports that are meant to be shared. */
  mask(text: string): string;
  /** The sessions that this one's task started. */
  children: readonly StoredSession[];
}

const ENDING: Record<ExportFormat, string> = {
  md: "md",
  json: "json",
  atif: "trajectory.json",
  script: "script.json",
};

/** Throws if the session has nothing that the format requires. */
export function exportSession(
  session: StoredSession,
  format: ExportFormat,
  { t, version, mask, children }: ExportParts,
): ExportedSession {
  const name = `${fileName(session.summary.title) || session.summary.id}.${ENDING[format]}`;
  switch (format) {
    case "md":
      return { name, text: toMarkdown(session, t), files: [] };
    case "json":
      return { name, text: toJson(session), files: [] };
    case "atif": {
      const { trajectory, files } = toAtif(session, { version, children });
      if (trajectory.steps.length === 0) throw new Error(t("The session has no messages to export."));
      return { name, text: maskedText(trajectory, mask), files };
    }
    case "script": {
      const script = toScript(session);
      if (script.turns.length === 0) throw new Error(t("The session has no answers to export."));
      return { name, text: maskedText(script, mask), files: [] };
    }
  }
}

function maskedText(value: unknown, mask: (text: string) => string): string {
  return `${JSON.stringify(maskedJson(value, mask), null, 1)}\n`;
}

/** A title as a file name that is valid on every system. */
function fileName(title: string): string {
  return title
    .replace(/[^\p{Letter}\p{Mark}\p{Number} _-]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 60)
    .trim();
}
