/** Selects found sessions by the folder that they worked in. */
import path from "node:path";
import { projectKey } from "../store/folder-storage.ts";
import type { FoundSession } from "./found-session.ts";

/** The sessions that worked in the folder or below it; undefined: all. */
export function sessionsBelow(sessions: readonly FoundSession[], folder: string | undefined): FoundSession[] {
  if (folder === undefined) return [...sessions];
  const top = projectKey(folder);
  const isBelow = (own: string) => {
    const between = path.relative(top, projectKey(own));
    return (
      between === "" ||
      (between !== ".." && !between.startsWith(`..${path.sep}`) && !path.isAbsolute(between))
    );
  };
  return sessions.filter((session) => session.folder !== undefined && isBelow(session.folder));
}
