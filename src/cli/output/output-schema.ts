/** The JSON schema that `--output-schema` names. */
import { readFile } from "node:fs/promises";
import { isRecord } from "../../core/assistant/record.ts";
import { messageOf } from "../../core/errors.ts";
import { readConfigText } from "../../core/servers/config/config-text.ts";
import { RequiredOutput } from "../../core/tools/set/required-output.ts";
import { UsageError } from "../usage-error.ts";

/** What the final answers of a run must be. Throws UsageError, which names the file and the place in it. */
export async function requiredOutput(file: string): Promise<RequiredOutput> {
  const fault = (what: string) => new UsageError(`--output-schema ${file}: ${what}`);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw fault(`the file cannot be read: ${messageOf(error)}`);
  });
  const schema = parsed(text, fault);
  if (!isRecord(schema))
    throw fault(`a JSON schema must be an object, not ${JSON.stringify(schema).slice(0, 40)}`);
  const { schemaValidator, SchemaFault } = await import("./schema-validator.ts");
  try {
    return new RequiredOutput({ schema, problem: schemaValidator(schema) });
  } catch (error) {
    if (error instanceof SchemaFault) throw fault(`this is not a valid JSON schema: ${error.message}`);
    throw error;
  }
}

function parsed(text: string, fault: (what: string) => UsageError): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { errorAt, lineAt } = readConfigText(text);
    const at = errorAt ?? Number(/at position (\d+)/.exec(messageOf(error))?.[1] ?? text.length);
    const line = lineAt(Math.min(at, Math.max(0, text.trimEnd().length - 1)));
    throw fault(`line ${line}: the file is not valid JSON: ${messageOf(error)}`);
  }
}
