import type { PromptFacts } from "../prompt-facts.ts";

export const systemInformation = (facts: PromptFacts) => `SYSTEM INFORMATION

Operating System: ${facts.os}
IDE: ${facts.hostName}
Default Shell: ${facts.shell}
Home Directory: ${facts.home}
Current Working Directory: ${facts.root}`;

export function customInstructions(facts: PromptFacts): string {
  const parts: string[] = [];
  if (facts.preferredLanguage !== "")
    parts.push(`# Preferred Language\n\nWrite to the user in ${languageName(facts.preferredLanguage)}.`);
  if (facts.customInstructions.trim() !== "") parts.push(facts.customInstructions.trim());
  if (facts.rules !== "") parts.push(facts.rules);
  if (parts.length === 0) return "";
  return `USER'S CUSTOM INSTRUCTIONS

Follow these as far as they do not conflict with the rules of tool use.

${parts.join("\n\n")}`;
}

/** "Japanese" for "ja"; what is not the code of a language stays as the user wrote it. */
function languageName(given: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(given) ?? given;
  } catch {
    return given;
  }
}
