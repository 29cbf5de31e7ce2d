/** When a rules file applies, as its product decides it. */
import type { RuleFormat } from "../instruction-kinds.ts";
import { boundedLine } from "../servers/server-text.ts";
import type { RuleFields } from "./front-matter.ts";

export type RuleUse =
  | { when: "always" }
  /** For work on files that match one of the patterns. */
  | { when: "files" }
  /** For work that fits the description, which the model decides. */
  | { when: "described"; description: string }
  /** If the user names it in a message. */
  | { when: "by-hand" };

/** Characters of a description. */
const DESCRIPTION_LENGTH = 300;
const ALWAYS: RuleUse = { when: "always" };

export function ruleUse(format: RuleFormat | undefined, { paths, fields }: RuleFields): RuleUse {
  const byFiles: RuleUse = paths.length > 0 ? { when: "files" } : ALWAYS;
  switch (format) {
    case undefined:
      return byFiles;
    case "copilot":
      return hasPatterns(fields) ? byFiles : chosen(fields);
    case "cursor":
      // A file without front matter is a plain file of rules.
      return fields.alwaysApply === true || hasPatterns(fields) || Object.keys(fields).length === 0
        ? byFiles
        : chosen(fields);
    case "windsurf":
      return byTrigger(fields, byFiles);
  }
}

function byTrigger(fields: RuleFields["fields"], byFiles: RuleUse): RuleUse {
  switch (fields.trigger) {
    case "always_on":
      return ALWAYS;
    case "glob":
      return byFiles.when === "files" ? byFiles : { when: "by-hand" };
    case "model_decision":
      return chosen(fields);
    case "manual":
      return { when: "by-hand" };
    // Files of older versions have no trigger, and one that nobody knows says nothing.
    default:
      return byFiles;
  }
}

/** By the model if there is a description, otherwise by the user. */
function chosen({ description }: RuleFields["fields"]): RuleUse {
  const line = typeof description === "string" ? boundedLine(description, DESCRIPTION_LENGTH) : "";
  return line === "" ? { when: "by-hand" } : { when: "described", description: line };
}

/** `**` counts, which stands for all files. */
function hasPatterns({ paths, globs, applyTo }: RuleFields["fields"]): boolean {
  return [paths, globs, applyTo].some((value) =>
    Array.isArray(value) ? value.length > 0 : typeof value === "string" && value.trim() !== "",
  );
}
