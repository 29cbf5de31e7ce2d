/** Reads fixtures of other agents' sessions, whose structure is theirs and whose content is invented. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { withoutKnownSecrets } from "../../../../../src/core/secrets.ts";
import type {
  ForeignSession,
  SessionReader,
} from "../../../../../src/core/sessions/import/foreign-session.ts";
import { storedSession } from "../../../../../src/core/sessions/import/stored-session.ts";

export const FIXTURES = path.join(import.meta.dirname, "../../../../fixtures/import");

export const fixture = (name: string): string => readFileSync(path.join(FIXTURES, name), "utf8");

export function readAll(reader: SessionReader, text: string): ForeignSession | undefined {
  for (const line of text.split("\n")) reader.line(line);
  return reader.end();
}

export function stored(session: ForeignSession | undefined) {
  if (!session) throw new Error("there is no session");
  let number = 0;
  return storedSession(session, {
    projectPath: "/project",
    newId: () => `new-${++number}`,
    now: "2026-06-01T00:00:00.000Z",
    mask: withoutKnownSecrets,
  });
}

/** The conversation in short: who said what, in order. */
export function outline(session: ForeignSession | undefined): string[] {
  return stored(session).messages.flatMap(({ role, display, blocks }) =>
    blocks.map((block) => {
      switch (block.type) {
        case "text":
          return `${role}${block.source === "context" ? " (context)" : ""}: ${block.text}`;
        case "reasoning":
          return `${role} thinks: ${block.text}`;
        case "tool-call":
          return `${role} calls ${block.name} ${JSON.stringify(block.params)}`;
        case "tool-result":
          return `${role} ${block.outcome}: ${block.parts.map((part) => (part.type === "text" ? part.text : part.mimeType)).join("|")}`;
        case "window":
          return `summary of ${block.leftOut?.count}: ${block.leftOut?.summary ?? "none"}`;
        case "image":
          return `${role} shows ${block.mimeType}${display === undefined ? "" : ` with ${JSON.stringify(display)}`}`;
        default:
          return block.type;
      }
    }),
  );
}
