/**
 * What a branch has that its base lacks, and the project's template for descriptions of pull requests: the material of `/pr`. Git only
 * reads: nothing is fetched, pushed or changed.
 */
import path from "node:path";
import { ToolError } from "../errors.ts";
import { outsideText } from "../fence.ts";
import type { Git } from "../ports/git.ts";
import type { Host } from "../ports/host.ts";
import { withoutKnownSecrets } from "../secrets.ts";
import { type ChangeReader, changesInRange } from "./git-changes.ts";
import { withinRoom } from "./within-room.ts";

/** Bytes of the list of branches, and of the list of subjects. */
const REFS_LIMIT = 4_000_000;
const SUBJECTS_LIMIT = 1_000_000;
/** Commits whose subjects are listed. */
const MOST_SUBJECTS = 100;
/** Bytes of the template. */
const TEMPLATE_LIMIT = 16_000;

/** Names of base branches, where the remote does not say which one is its default. */
const USUAL_BASES = ["main", "master", "develop", "trunk"];

/** Where a template may be, in the order of GitHub. */
const TEMPLATES = [".github", ".", "docs"].flatMap((folder) =>
  ["pull_request_template.md", "PULL_REQUEST_TEMPLATE.md"].map((name) => path.join(folder, name)),
);

/** A branch, of this repository or of a remote. */
export interface GitRef {
  /** Such as `refs/remotes/origin/main`. */
  name: string;
  hash: string;
  /** The ref that this one stands for; "": none. */
  target: string;
  /** The branch that this one follows; "": none. */
  upstream: string;
  isCurrent: boolean;
}

const FORMAT = ["%(refname)", "%(objectname)", "%(symref)", "%(upstream)", "%(HEAD)"].join("%00");

export function readRefs(list: string): GitRef[] {
  return list.split("\n").flatMap((line) => {
    const [name = "", hash = "", target = "", upstream = "", mark = ""] = line.split("\0");
    return hash === "" ? [] : [{ name, hash, target, upstream, isCurrent: mark === "*" }];
  });
}

/**
 * The branch that the current one is compared with. `named`: the name that the user wrote; undefined: they wrote none. Then it is the branch
 * that the current one follows if that has another name, else the remote's default branch, else one with a usual name, else the branch that
 * it follows.
 */
export function baseOf(refs: readonly GitRef[], named: string | undefined): GitRef | undefined {
  const find = (name: string) => refs.find((ref) => ref.name === name);
  const remotes = [
    "origin",
    ...refs.flatMap(({ name }) => /^refs\/remotes\/([^/]+)\//.exec(name)?.[1] ?? []),
  ];
  if (named !== undefined)
    return [
      `refs/heads/${named}`,
      `refs/remotes/${named}`,
      ...remotes.map((each) => `refs/remotes/${each}/${named}`),
    ]
      .map(find)
      .find((ref) => ref !== undefined);
  const current = refs.find(({ isCurrent }) => isCurrent);
  const upstream = find(current?.upstream ?? "");
  const followsItself = upstream && branchName(upstream.name) === branchName(current?.name ?? "");
  const defaults = remotes.map((remote) => find(find(`refs/remotes/${remote}/HEAD`)?.target ?? ""));
  const usual = USUAL_BASES.flatMap((name) => [
    find(`refs/remotes/origin/${name}`),
    find(`refs/heads/${name}`),
  ]);
  return [followsItself ? undefined : upstream, ...defaults, ...usual, upstream].find(
    (ref) => ref !== undefined && ref !== current,
  );
}

/** The name without what says where the branch is. */
function branchName(ref: string): string {
  return ref.replace(/^refs\/(?:heads\/|remotes\/[^/]+\/)/, "");
}

export interface BranchReader extends ChangeReader {
  host: Pick<Host, "files" | "git" | "workspace">;
}

/**
 * The material as text in tags, at most about `room` characters. `named`: a word that may name the base. Says what is missing where there is no repository,
 * no base or no commit. Rejects with Interrupt.
 */
export async function branchChanges(
  reader: BranchReader,
  { named, room, signal }: { named: string | undefined; room: number; signal: AbortSignal },
): Promise<string> {
  const { git, workspace } = reader.host;
  if (!git || !workspace.trusted || workspace.root === undefined)
    return missing("There is no Git repository.");
  try {
    const top = await git.ask(workspace.root, ["rev-parse", "--show-toplevel"], { limit: 10_000, signal });
    const root = top?.trim() ?? "";
    const changes = await branchText(git, reader, root, { named, room, signal });
    const template = await templateText(reader, root);
    return template === "" ? changes : `${changes}\n${template}`;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return missing(error.message);
  }
}

const missing = (reason: string) => `<branch>\n${outsideText(reason, "branch")}\n</branch>`;

async function branchText(
  git: Git,
  reader: BranchReader,
  root: string,
  { named, room, signal }: { named: string | undefined; room: number; signal: AbortSignal },
): Promise<string> {
  const list = ["for-each-ref", `--format=${FORMAT}`, "refs/heads", "refs/remotes"];
  const refs = readRefs((await git.ask(root, list, { limit: REFS_LIMIT, signal })) ?? "");
  const base = (named === undefined ? undefined : baseOf(refs, named)) ?? baseOf(refs, undefined);
  if (!base) return missing("No base branch was found.");
  const current = refs.find(({ isCurrent }) => isCurrent);
  const names = [
    `Branch: ${current ? branchName(current.name) : "(detached)"}`,
    `Base: ${base.name.replace(/^refs\/(?:heads|remotes)\//, "")}`,
  ].join("\n");
  const common = await commonCommit(git, root, base, signal);
  if (common === undefined) return missing(`${names}\nThe two have no commit in common.`);
  const log = ["log", `--max-count=${MOST_SUBJECTS}`, "--format=%s", `${common}..HEAD`, "--"];
  const [subjects = "", changes] = await Promise.all([
    git.ask(root, log, { limit: SUBJECTS_LIMIT, signal }),
    changesInRange(root, { from: common, to: "HEAD" }, reader, signal),
  ]);
  if (subjects.trim() === "") return missing(`${names}\nThe branch has no commit that its base lacks.`);
  const body = [
    names,
    `Commits, newest first:\n${subjects.trimEnd()}`,
    `Changes since the base:\n${withinRoom(changes, room).join("\n\n")}`,
  ].join("\n\n");
  return `<branch>\n${outsideText(withoutKnownSecrets(body), "branch")}\n</branch>`;
}

/** undefined: there is none, for example because the repository has only the newest commits. */
async function commonCommit(
  git: Git,
  root: string,
  base: GitRef,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const hash = await git.ask(root, ["merge-base", base.hash, "HEAD"], { limit: 1_000, signal });
    return hash?.trim() || undefined;
  } catch (error) {
    // Git exits with an error then, without a message.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** "": there is none, or the model may not read it. */
async function templateText({ host, unreadable }: BranchReader, root: string): Promise<string> {
  const paths = TEMPLATES.map((name) => path.join(root, name));
  const texts = await host.files.readSmall(paths, TEMPLATE_LIMIT);
  for (const [index, text] of texts.entries()) {
    if (text === undefined || (await unreadable(paths[index] ?? "")) !== undefined) continue;
    return `<template>\n${outsideText(text.trim(), "template")}\n</template>`;
  }
  return "";
}
