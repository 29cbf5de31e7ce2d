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
    parts.push(`# Preferred Language\n\nSpeak in ${facts.preferredLanguage}.`);
  if (facts.customInstructions.trim() !== "") parts.push(facts.customInstructions.trim());
  if (facts.rules !== "") parts.push(facts.rules);
  if (parts.length === 0) return "";
  return `USER'S CUSTOM INSTRUCTIONS

Follow these as far as they do not conflict with the rules of tool use.

${parts.join("\n\n")}`;
}
