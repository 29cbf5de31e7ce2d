/** Skills, commands and agents as users see them: where each comes from, who may use it, and what is wrong with it. */
import { definitionOriginSchema } from "./definition-origin.ts";
import * as z from "./zod.ts";

/** Why a file cannot be used. */
export type DefinitionFault =
  | "elsewhere"
  | "secret"
  | "ignored"
  | "too-large"
  | "not-text"
  | "front-matter"
  | "unreadable"
  /** Its name has characters that cannot be seen. */
  | "hidden-name"
  | "empty"
  /** A file before it has the same name; the value is that file. */
  | "shadowed"
  /** An agent of Claude Code without a name, which is documentation there. */
  | "documentation"
  /** None of the tools that an agent lists exists; the value is the list. */
  | "no-tools"
  /** The file of modes does not have the form of one; the value is the line at fault, if that is known. */
  | "no-modes";

/** What is wrong with a file that is used all the same. */
type DefinitionWarning =
  /** The value is the name of its folder. */
  | "name-differs"
  /** The value is the number of characters that it may have. */
  | "name-too-long"
  /** Without one, only the user can call it. */
  | "no-description"
  /** The value is the name by which it is called. */
  | "name-changed"
  /** The value is the number of characters that are used. */
  | "description-cut"
  /** The front matter is not valid YAML. Its lines were read one by one. */
  | "read-by-line"
  /** The value of this field has another form than expected, and is ignored. */
  | "field"
  /** This field has no effect in Nekode. */
  | "not-honored"
  /** The tools that it asks to run without a question: they ask as always. */
  | "allowed-tools"
  /** No file of the project matches its patterns. */
  | "no-match"
  /** Tools that do not exist here; the value is their names. */
  | "unknown-tools"
  /** A tool of an agent with a pattern that has no effect. */
  | "tool-pattern"
  /** A tool that an agent does not have for some uses, and here for none. */
  | "denied-pattern"
  /** A regular expression that is not valid, or could take too long: the agent edits nothing. */
  | "unusable-pattern"
  /** The models that an agent of a project asks for. */
  | "model-of-project"
  /** The models that an agent asks for, of which none has the form `connection/id`. */
  | "unknown-model";

export interface DefinitionProblem {
  code: DefinitionFault | DefinitionWarning;
  /** See the codes; for a fault, the code of its reason. */
  value: string;
  /** The value of that reason. */
  detail?: string | undefined;
}

const definitionItemSchema = z.extend(definitionOriginSchema, {
  kind: z.enum(["skill", "command", "agent"]),
  /** The name by which it is called or chosen, and what to write after it; "": it cannot be used. */
  usage: z.string(),
  description: z.string(),
  /** Estimated tokens of its text; 0: not read. */
  tokens: z.number(),
  state: z.enum(["on", "off", "untrusted", "unusable"]),
  /** Who alone can use a skill or an agent: `user` or `model`; "": both. */
  only: z.string(),
  /** A code, its value and its detail each; see `DefinitionProblem`. */
  problems: z.array(z.array(z.string())),
});
export type DefinitionItem = z.infer<typeof definitionItemSchema>;
export const definitionItemsSchema = z.array(definitionItemSchema);
