/** `nekode doctor`: checks a model, and prints the findings. */
import { Interrupt } from "../../core/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import { ModelCatalog } from "../../core/provider/catalog/model-catalog.ts";
import { checkBudget, checkModel } from "../../core/provider/check/check-model.ts";
import type { ModelAccess } from "../../core/provider/model-access.ts";
import type { Finding } from "../../shared/models/check.ts";
import {
  connectionSchema,
  connectionsOf,
  DEFAULT_CONNECTION,
  type ModelChoice,
  modelFor,
  modelName,
  modelNamed,
} from "../../shared/models/connection.ts";
import type { Settings } from "../../shared/settings.ts";
import { checkVerdictText, consequences, findingText, probeTitle } from "../../shared/words/check-words.ts";
import { sandboxStateText } from "../../shared/words/sandbox-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { tellManaged } from "../policy/policy-command.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine, type Screen } from "../screen.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { DoctorOptions } from "./doctor-options.ts";

export interface Doctor extends Pick<ModelAccess, "apiKey" | "profiles"> {
  host: Pick<Host, "clock" | "fetch" | "fetchVia" | "policy" | "shell" | "workspace">;
  settings: Settings;
  /** undefined: there is nobody to ask. */
  terminal: Terminal | undefined;
  screen: Screen;
  t: Translate;
  signal: AbortSignal;
}

/** Resolves with the exit code. */
export async function diagnose(options: DoctorOptions, doctor: Doctor): Promise<number> {
  const { host, screen, t, signal, profiles } = doctor;
  const choice = await choiceOf(options, doctor);
  const err = (text: string) => screen.err(`${text}\n`);
  await err(t("Model: {0}", oneLine(modelName(choice))));
  const sandbox = await host.shell.sandbox?.(host.workspace.roots.map(({ path }) => path));
  if (sandbox) await err(t("Sandbox: {0}", oneLine(sandboxStateText(t, sandbox))));
  await tellManaged(host.policy, doctor);
  const profile = profiles.of(choice);
  // The endpoint's list determines the expected size of the context window.
  await new ModelCatalog(doctor).list(choice.connection, signal).catch((error: unknown) => {
    if (error instanceof Interrupt && signal.aborted) throw error;
  });
  const windowTokens = await budgetOf(options, checkBudget(profile), doctor);
  if (windowTokens === undefined) return EXIT_CODE.completed;
  const printFinding = (finding: Finding) => void err(oneLine(findingLine(t, finding)));
  const report = await checkModel(
    choice,
    { ...doctor, settings: () => doctor.settings },
    { windowTokens, ...(options.json ? {} : { found: printFinding }) },
    signal,
  );
  if (options.json) await screen.out(jsonLine(report));
  else {
    const words = [checkVerdictText(t, report.verdict), ...consequences(t, report)];
    await screen.out(`${words.join(" ")}\n`);
    await err(t("Tokens used: {0}", report.tokens.toLocaleString("en-US")));
  }
  return report.verdict === "unusable" ? EXIT_CODE.error : EXIT_CODE.completed;
}

const MARKS: Record<Finding["state"], string> = { good: "✓", fault: "✗", absent: "–", skipped: "·" };

function findingLine(t: Translate, finding: Finding): string {
  return `${MARKS[finding.state]} ${t("{0}: {1}", probeTitle(t, finding.probe), findingText(t, finding))}`;
}

/** The model that the arguments name. */
async function choiceOf({ target, model, api }: DoctorOptions, doctor: Doctor): Promise<ModelChoice> {
  const { settings } = doctor;
  if (target === undefined) {
    const named = model === undefined ? modelFor(settings, "act") : modelNamed(model, settings);
    if (named.connection.baseUrl.trim() === "")
      throw new UsageError("doctor requires a URL, or a connection of the configuration");
    return named.model === "" ? withModel(named, undefined, doctor) : named;
  }
  if (target.includes("://")) {
    const connection = connectionSchema.parse({ name: DEFAULT_CONNECTION, baseUrl: target, api });
    return withModel({ connection, model: "" }, model, doctor);
  }
  const slash = target.indexOf("/");
  const name = slash < 0 ? target : target.slice(0, slash);
  const connection = connectionsOf(settings).find((each) => each.name === name);
  if (!connection)
    throw new UsageError(
      `there is no connection ${JSON.stringify(name)}; a URL begins with http:// or https://`,
    );
  return withModel({ connection, model: slash < 0 ? "" : target.slice(slash + 1) }, model, doctor);
}

/** The only model of a connection needs no name. */
async function withModel(
  choice: ModelChoice,
  model: string | undefined,
  doctor: Doctor,
): Promise<ModelChoice> {
  if (choice.model !== "") return choice;
  if (model !== undefined) return { ...choice, model };
  const listed = await new ModelCatalog(doctor)
    .list(choice.connection, doctor.signal)
    .catch((error: unknown) => {
      if (error instanceof Interrupt && doctor.signal.aborted) throw error;
      // The check reports why there is no list; it needs a name to ask for.
      return [];
    });
  const names = listed.map(({ name }) => name.slice(choice.connection.name.length + 1));
  if (names.length > 1)
    throw new UsageError(
      `--model is required; the endpoint has ${names.slice(0, 20).map(oneLine).join(", ")}`,
    );
  return { ...choice, model: names[0] ?? "default" };
}

/** Says what the check costs. Resolves with the tokens for the window; undefined: the user does not want the check. */
async function budgetOf(
  { budget, yes }: DoctorOptions,
  most: { base: number; window: number },
  { terminal, screen, t, signal }: Doctor,
): Promise<number | undefined> {
  const count = (value: number) => value.toLocaleString("en-US");
  const asks = terminal !== undefined && !yes;
  // Without a user, only the small part is used unless the command line allows more.
  const window = budget ?? (asks || yes ? most.window : 0);
  await screen.err(
    `${t("The check uses at most about {0} tokens, {1} of them to measure the context window.", count(most.base + window), count(window))}\n`,
  );
  if (!asks) return window;
  const question = window > 0 ? t("[y]es, [n]o, or [w]ithout measuring the window:") : t("[y]es or [n]o:");
  for (;;) {
    const answer = (await terminal.ask(`${t("Start the check?")} ${question} `, signal))?.trim();
    if (answer === undefined || /^(n|no|いいえ)$/i.test(answer)) return undefined;
    if (/^(y|yes|はい)$/i.test(answer)) return window;
    if (window > 0 && /^w(ithout)?$/i.test(answer)) return 0;
  }
}
