/** A plan of plan mode that is a document: an answer that begins with a heading of the first level, its title. */

const TITLE = /^\s*#[ \t]+(\S[^\n]*)/;

/** Characters at the beginning of a text in which its title must be, and of a title. */
const MAX_HEAD = 1_000;
const MAX_TITLE = 120;

/** The title of a plan; undefined: the text is no plan document, but an ordinary answer. */
export function planTitle(text: string): string | undefined {
  const title = TITLE.exec(text.slice(0, MAX_HEAD))?.[1]?.replace(/[ \t]#+\s*$/, "");
  return title?.trim().slice(0, MAX_TITLE);
}

/** How the user starts a plan: `/start`, followed by where and by whom it is carried out. */
export interface PlanStart {
  /** here: in the session that made the plan. new: in a new session. worktree: in a new session, in its own worktree. */
  place: "here" | "new" | "worktree";
  /** `connection/id`. Default: the model of act mode. */
  model?: string;
  /** Default: none. */
  agent?: string;
}

const START = /^\s*\/start(?=\s|$)(.*)$/s;

/** Reads `/start [new|worktree] [model NAME] [agent NAME]`; undefined for other text. */
export function planStartIn(text: string): PlanStart | undefined {
  const words = START.exec(text)?.[1]?.trim().split(/\s+/);
  if (!words) return undefined;
  const start: PlanStart = { place: "here" };
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const next = words[i + 1];
    if (word === "" && words.length === 1) break;
    if (word === "new" || word === "worktree") start.place = word;
    else if ((word === "model" || word === "agent") && next !== undefined) {
      start[word] = next;
      i++;
    } else return undefined;
  }
  return start;
}

/** The text that `planStartIn` reads. */
export function planStartText({ place, model, agent }: PlanStart): string {
  const words = [
    ...(place === "here" ? [] : [place]),
    ...(model === undefined ? [] : ["model", model]),
    ...(agent === undefined ? [] : ["agent", agent]),
  ];
  return ["/start", ...words].join(" ");
}
