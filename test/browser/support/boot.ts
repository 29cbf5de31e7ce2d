import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Boot } from "../../../src/shared/protocol.ts";

/** The page as a user of VS Code in Japanese sees it. */
export const japanese: Boot = {
  language: "ja",
  translations: z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync("l10n/bundle.l10n.ja.json", "utf8"))),
};
