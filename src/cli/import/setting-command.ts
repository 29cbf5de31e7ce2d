/** `nekode import settings`: lists what other agents have set, asks for each proposal, and takes over what the user accepts. */
import type { ForeignSettings, SettingRequest } from "../../core/foreign-settings/foreign-settings.ts";
import {
  SETTING_PRODUCT_NAMES,
  type SettingList,
  type SettingProposal,
} from "../../shared/setting-proposals.ts";
import { findProblemText } from "../../shared/words/import-words.ts";
import {
  leftSettingText,
  settingNoteText,
  settingOutcomeText,
  settingTitle,
} from "../../shared/words/setting-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine, type Screen } from "../screen.ts";
import { askYes, type Terminal } from "../terminal.ts";
import type { SettingOptions } from "./setting-options.ts";

export interface SettingCommandParts {
  settings: ForeignSettings;
  mask: SettingRequest["mask"];
  screen: Pick<Screen, "out" | "err">;
  t: Translate;
  terminal: Pick<Terminal, "ask"> | undefined;
  signal: AbortSignal;
}

type Chosen = Pick<SettingOptions, "products" | "isDryRun" | "undo" | "json">;

/** Resolves with the exit code. */
export async function runSettingImport(chosen: Chosen, parts: SettingCommandParts): Promise<number> {
  const { settings, mask, screen, t, terminal } = parts;
  const list = await settings.list({ products: chosen.products, mask });
  for (const problem of list.problems) await screen.err(`nekode: ${oneLine(findProblemText(t, problem))}\n`);
  const wanted = list.proposals.filter(({ state }) => (state === "taken") === chosen.undo);
  if (chosen.json) return printJson(list, parts);
  if (!chosen.undo) await screen.out(leftLines(list, t));
  if (wanted.length === 0) {
    await screen.out(
      `${chosen.undo ? t("You have taken over nothing that can be undone.") : t("There is nothing to take over.")}\n`,
    );
    return EXIT_CODE.completed;
  }
  if (!chosen.isDryRun && terminal) return askEach(wanted, { ...chosen, terminal }, parts);
  for (const proposal of wanted) await screen.out(proposalLines(proposal, t));
  if (chosen.isDryRun) return EXIT_CODE.completed;
  await screen.err(`nekode: ${t("Nothing was changed. Run the command in a terminal to be asked.")}\n`);
  return EXIT_CODE.unanswered;
}

async function askEach(
  wanted: readonly SettingProposal[],
  { products, undo, terminal }: Chosen & { terminal: Pick<Terminal, "ask"> },
  { settings, mask, screen, t, signal }: SettingCommandParts,
): Promise<number> {
  let code: number = EXIT_CODE.completed;
  for (const proposal of wanted) {
    await screen.out(proposalLines(proposal, t));
    const question = undo ? t("Undo this?") : t("Take this over?");
    if (!(await askYes(terminal, t, question, signal))) continue;
    const request = { products, mask };
    const { outcome = "changed" } = undo
      ? await settings.undo(proposal.key, request)
      : await settings.take(proposal, request);
    await screen.out(`${settingOutcomeText(t, outcome)}\n\n`);
    if (outcome === "changed") code = EXIT_CODE.error;
  }
  return code;
}

async function printJson({ proposals, left }: SettingList, { screen }: SettingCommandParts): Promise<number> {
  for (const { hash: _, ...proposal } of proposals) await screen.out(jsonLine(proposal));
  for (const setting of left) await screen.out(jsonLine({ ...setting, state: "left" }));
  return EXIT_CODE.completed;
}

function leftLines({ left }: SettingList, t: Translate): string {
  if (left.length === 0) return "";
  const lines = left.map(
    ({ product, file, name, why }) =>
      `  ${SETTING_PRODUCT_NAMES[product]}, ${oneLine(file)}: ${oneLine(name)}\n    ${oneLine(leftSettingText(t, why))}\n`,
  );
  return `${t("Not taken over:")}\n${lines.join("")}\n`;
}

/** Of several lines, because the user sees exactly what would be written. */
function proposalLines(proposal: SettingProposal, t: Translate): string {
  const { product, file, place, before, after, notes } = proposal;
  const from = `${SETTING_PRODUCT_NAMES[product]}, ${oneLine(file)}`;
  return [
    `${oneLine(settingTitle(t, proposal))} (${from})`,
    `  ${oneLine(place)}`,
    ...(before === "" ? [] : marked("-", before)),
    ...marked("+", after),
    ...notes.map((note) => `  ${oneLine(settingNoteText(t, note))}`),
    "",
  ].join("\n");
}

function marked(sign: string, text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${sign} ${oneLine(line)}`);
}
