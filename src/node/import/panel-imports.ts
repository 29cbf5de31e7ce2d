/** Imports sessions of other agents from the panel, which lists and selects them. */
import type { Host } from "../../core/ports/host.ts";
import type { ForeignImports } from "../../core/sessions/import/foreign-imports.ts";
import type { ImportReport } from "../../shared/history/found-list.ts";
import { agentProductSchema } from "../../shared/history/session-origin.ts";
import { homeFolder } from "../config/config-dir.ts";
import { findSessions } from "./find-sessions.ts";
import type { FoundProduct, FoundSession } from "./found-session.ts";
import { importSessions } from "./import-sessions.ts";

export interface PanelImportsParts {
  host: Pick<Host, "assets" | "clock" | "log" | "newId" | "workspace">;
  dataDir: string | undefined;
  environment: NodeJS.ProcessEnv;
}

export function createForeignImports({ host, dataDir, environment }: PanelImportsParts): ForeignImports {
  const { assets, clock, log, workspace } = host;
  let found: FoundProduct[] = [];
  const close = () => {
    for (const product of found) product.close?.();
    found = [];
  };
  return {
    close,
    async list() {
      close();
      const home = homeFolder(environment);
      const { platform } = process;
      if (home !== undefined)
        found = await findSessions(agentProductSchema.options, { environment, home, assets, platform });
      return found.map(({ product, problems, sessions }) => ({
        product,
        problems,
        sessions: sessions.map(({ title, folder, bytes, updatedAt, ...session }) => ({
          key: keyOf(session),
          title,
          ...(folder === undefined ? {} : { folder }),
          bytes,
          updatedAt,
        })),
      }));
    },
    async import(keys, { store, mask, isDryRun }) {
      const wanted = new Set(keys);
      const sessions = found.flatMap((product) => product.sessions.filter((one) => wanted.has(keyOf(one))));
      const report: ImportReport = { imported: 0, known: 0, failed: 0, losses: [] };
      const root = workspace.root ?? "";
      const parts = { store, root, dataDir, assets, clock, log, newId: () => host.newId(), keys: mask };
      for await (const { session, outcome } of importSessions(sessions, parts, { isDryRun })) {
        report[outcome.state]++;
        const { title } = session;
        if (outcome.state === "failed") {
          const { code, detail } = outcome;
          report.losses.push({ title, code, detail, unreadable: 0 });
        } else if (outcome.state === "imported" && outcome.unreadable > 0)
          report.losses.push({ title, code: "", detail: "", unreadable: outcome.unreadable });
      }
      return report;
    },
  };
}

const keyOf = ({ product, id }: Pick<FoundSession, "product" | "id">) => `${product}:${id}`;
