/** Checks what a task needs, when the user opens the screen for it: the endpoint is asked for its list of models, and no server starts. */
import { Interrupt, messageOf, ProviderError } from "../core/errors.ts";
import type { Host } from "../core/ports/host.ts";
import type { ModelCatalog } from "../core/provider/catalog/model-catalog.ts";
import type { ProjectServers } from "../core/servers/project-servers.ts";
import type { HealthCheck } from "../shared/health-report.ts";
import { modelFor } from "../shared/models/connection.ts";
import type { SandboxState } from "../shared/sandbox-state.ts";
import type { Settings } from "../shared/settings.ts";
import { errorText } from "../shared/words/error-words.ts";
import { checkTitle } from "../shared/words/health-words.ts";
import { sandboxStateText } from "../shared/words/sandbox-words.ts";
import type { Translate } from "../shared/words/task-words.ts";

/** Milliseconds in which git says its version. */
const GIT_MS = 5_000;

export interface HealthChecksDeps {
  host: Pick<Host, "programs" | "shell" | "system" | "workspace">;
  settings: Settings;
  /** `connection/id` of the session's model; "": none is chosen. */
  model: string;
  models: Pick<ModelCatalog, "list">;
  servers: Pick<ProjectServers, "all"> | undefined;
  sandbox: SandboxState;
  t: Translate;
}

/** Never rejects. */
export async function checkHealth(deps: HealthChecksDeps): Promise<HealthCheck[]> {
  const { model, sandbox, t } = deps;
  const [connection, git] = await Promise.all([checkConnection(deps), checkGit(deps)]);
  const check = (id: HealthCheck["id"], state: HealthCheck["state"], text: string): HealthCheck => ({
    ...{ id, state, title: checkTitle(t, id), text },
  });
  return [
    model === "" ? check("model", "problem", t("No model is chosen.")) : check("model", "good", model),
    check("connection", ...connection),
    check("sandbox", sandbox.engine === undefined ? "missing" : "good", sandboxStateText(t, sandbox)),
    check("git", ...git),
    check("terminal", ...checkTerminal(deps)),
    check("servers", ...checkServers(deps)),
  ];
}

type Outcome = [state: HealthCheck["state"], text: string];

async function checkConnection({ settings, models, t }: HealthChecksDeps): Promise<Outcome> {
  const { connection } = modelFor(settings, "act");
  if (connection.baseUrl.trim() === "") return ["problem", t("No connection is set up.")];
  try {
    const listed = await models.list(connection, new AbortController().signal);
    return ["good", t("{0} answers, and lists models: {1}", connection.baseUrl, listed.length)];
  } catch (error) {
    if (error instanceof ProviderError) return ["problem", errorText(t, error.view).text];
    return [
      "problem",
      error instanceof Interrupt ? t("{0} does not answer.", connection.baseUrl) : messageOf(error),
    ];
  }
}

async function checkGit({ host, t }: HealthChecksDeps): Promise<Outcome> {
  const { programs, system, workspace } = host;
  try {
    const { exitCode, stdout } = await programs.run({
      ...{ program: "git", args: ["--version"], cwd: workspace.root ?? system.home },
      ...{ timeoutMs: GIT_MS, signal: new AbortController().signal, outputLimit: 1_000 },
    });
    if (exitCode === 0) return ["good", new TextDecoder().decode(stdout.bytes).trim()];
  } catch {
    // It is not installed, which the text says.
  }
  return ["missing", t("Git was not found. Commits, worktrees and reviews need it.")];
}

function checkTerminal({ host: { shell, workspace }, t }: HealthChecksDeps): Outcome {
  if (!workspace.trusted) return ["problem", t("Commands do not run in a folder that is not trusted")];
  const { insteadOf, path } = shell;
  return insteadOf === undefined
    ? ["good", path]
    : ["missing", t("{0}, because {1} cannot be used", path, insteadOf.path)];
}

function checkServers({ servers, t }: HealthChecksDeps): Outcome {
  const all = servers?.all ?? [];
  if (all.length === 0) return ["good", t("None is configured.")];
  const broken = all.filter(({ server }) => server.state === "failed" || server.state === "sign-in");
  if (broken.length === 0) return ["good", all.map(({ server }) => server.name).join(", ")];
  return ["problem", t("Not working: {0}", broken.map(({ server }) => server.name).join(", "))];
}
