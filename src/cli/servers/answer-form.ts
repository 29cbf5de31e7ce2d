/** A question of an MCP server on a terminal: field by field, or an address to visit. The server's texts are shown as text. */

import { type FieldValue, fieldProblem } from "../../shared/form-answer.ts";
import type { FormAnswer, FormField, ServerForm } from "../../shared/server-form.ts";
import { unreachable } from "../../shared/unreachable.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine } from "../screen.ts";
import { askYes, type Terminal } from "../terminal.ts";

export interface FormTerminal {
  terminal: Pick<Terminal, "ask">;
  err(text: string): void;
  t: Translate;
  signal: AbortSignal;
}

/** Rejects when the signal aborts. */
export async function answerForm(form: ServerForm, at: FormTerminal): Promise<FormAnswer> {
  const { terminal, err, t, signal } = at;
  err(`\n${t("The MCP server {0} asks:", oneLine(form.server))} ${oneLine(form.message)}\n`);
  if (form.ask.type === "address") {
    err(`  ${oneLine(form.ask.url)}\n`);
    const isVisited = await askYes(terminal, t, t("Open this address in your browser. Done?"), signal);
    return isVisited ? { action: "accept", values: {} } : { action: "decline" };
  }
  const { fields } = form.ask;
  for (const { title, description } of fields)
    err(`  ${oneLine(title)}${description === undefined ? "" : `: ${oneLine(description)}`}\n`);
  if (!(await askYes(terminal, t, t("Answer?"), signal))) return { action: "decline" };
  const values = new Map<string, FieldValue>();
  for (const field of fields) {
    const answer = await askField(field, at);
    if (answer === "closed") return { action: "cancel" };
    if (answer !== undefined) values.set(field.name, answer.value);
  }
  return { action: "accept", values: Object.fromEntries(values) };
}

/** Asks until the answer is valid. undefined: an optional field is left empty. "closed": the input ended. */
async function askField(
  field: FormField,
  { terminal, err, t, signal }: FormTerminal,
): Promise<{ value: FieldValue } | undefined | "closed"> {
  const { kind, title, required } = field;
  const choices = kind.type === "choice" || kind.type === "choices" ? kind.choices : [];
  const listed = choices.map((choice, index) => `  ${index + 1}. ${oneLine(choice.title)}\n`).join("");
  const hint = required ? "" : ` (${t("optional")})`;
  for (;;) {
    const question = `${listed}${oneLine(title)}${hint}${hintOf(field, t)}: `;
    const line = await terminal.ask(question, signal, initialOf(field));
    if (line === undefined) return "closed";
    const text = line.trim();
    if (text === "" && !required) return undefined;
    const value = text === "" ? undefined : valueIn(field, text);
    if (value !== undefined && !fieldProblem(field, value)) return { value };
    err(`${t("This is not a valid answer.")}\n`);
  }
}

function hintOf({ kind }: FormField, t: Translate): string {
  if (kind.type === "boolean") return ` ${t("[y]es or [n]o")}`;
  if (kind.type === "choices") return ` ${t("(numbers, separated by commas)")}`;
  if (kind.type === "text" && kind.format !== undefined) return ` (${oneLine(kind.format)})`;
  return "";
}

function initialOf({ kind }: FormField): string {
  if (kind.type === "boolean") return kind.initial === undefined ? "" : kind.initial ? "y" : "n";
  if (kind.type === "choice" || kind.type === "choices") {
    const initial = kind.type === "choice" ? [kind.initial] : (kind.initial ?? []);
    const numbers = kind.choices.flatMap(({ value }, index) => (initial.includes(value) ? [index + 1] : []));
    return numbers.join(", ");
  }
  return kind.initial === undefined ? "" : String(kind.initial);
}

/** The value of the text, which the field may still reject. undefined: the field cannot contain such a value. */
function valueIn({ kind }: FormField, text: string): FieldValue | undefined {
  switch (kind.type) {
    case "text":
      return text;
    case "number":
      return Number(text);
    case "boolean":
      if (/^(y|yes|true|はい)$/i.test(text)) return true;
      return /^(n|no|false|いいえ)$/i.test(text) ? false : undefined;
    case "choice":
      return choiceOf(kind.choices, text);
    case "choices": {
      const parts = text.split(/[,、\s]+/).filter((part) => part !== "");
      const values = parts.map((part) => choiceOf(kind.choices, part));
      return values.includes(undefined)
        ? undefined
        : [...new Set(values.filter((value) => value !== undefined))];
    }
    default:
      return unreachable(kind);
  }
}

/** By number, or by the text of the choice. */
function choiceOf(choices: readonly { value: string; title: string }[], text: string): string | undefined {
  const byText = choices.find(({ value, title }) => title === text || value === text);
  return (byText ?? (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined))?.value;
}
