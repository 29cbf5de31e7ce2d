/** Which browsers and profiles a host has, and how what failed did. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { processesNaming } from "../../../support/processes.ts";

export const profilesOf = (pid: number | undefined) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`nekode-browser-${pid}-`));

/** Ids of the processes whose command line names a profile of that host. */
export const browsersOf = (pid: number | undefined) => namedIn(`nekode-browser-${pid}-`);
export const namedIn = (text: string) => processesNaming(text).map(({ pid }) => pid);

export const failure = (work: Promise<unknown>) =>
  work.then(
    () => new Error("it did not fail"),
    (error: unknown) => error,
  );
