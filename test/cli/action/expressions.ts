/** Expressions of GitHub Actions, as far as the project's files use them; anything else is an error. */

/** By name, such as `inputs` and `github`; values of objects that are missing are "". */
export type Contexts = Readonly<Record<string, unknown>>;

const TOKEN = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(==|!=|&&|\|\||[!().,]))/y;

/** The text with its `${{ }}` replaced. */
export function interpolate(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) =>
    asText(evaluate(expression, contexts)),
  );
}

/** A condition, with or without `${{ }}`. Without a function of the status, it includes success(). */
export function condition(text: string | undefined, contexts: Contexts, succeeded: boolean): boolean {
  if (text === undefined) return succeeded;
  const expression = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(text)?.[1] ?? text;
  const value = truthy(
    evaluate(expression, { ...contexts, "success()": succeeded, "failure()": !succeeded }),
  );
  const asks = /\b(?:always|success|failure|cancelled)\(\)/.test(expression);
  return value && (asks || succeeded);
}

export function evaluate(expression: string, contexts: Contexts): unknown {
  return new Parser(tokensOf(expression), contexts).whole();
}

interface Token {
  kind: "text" | "number" | "name" | "sign";
  value: string;
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = expression.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const [, text, number, name, sign] = TOKEN.exec(expression) ?? [];
    if (text !== undefined) tokens.push({ kind: "text", value: text.slice(1, -1).replaceAll("''", "'") });
    else if (number !== undefined) tokens.push({ kind: "number", value: number });
    else if (name !== undefined) tokens.push({ kind: "name", value: name });
    else if (sign !== undefined) tokens.push({ kind: "sign", value: sign });
    else throw new Error(`not understood in an expression: ${expression.slice(at)}`);
  }
  return tokens;
}

class Parser {
  readonly #tokens: Token[];
  readonly #contexts: Contexts;

  constructor(tokens: Token[], contexts: Contexts) {
    this.#tokens = tokens;
    this.#contexts = contexts;
  }

  whole(): unknown {
    const value = this.#or();
    if (this.#tokens.length > 0) throw new Error(`not understood: ${this.#tokens[0]?.value}`);
    return value;
  }

  #takes(sign: string): boolean {
    const [next] = this.#tokens;
    if (next?.kind !== "sign" || next.value !== sign) return false;
    this.#tokens.shift();
    return true;
  }

  #or(): unknown {
    let value = this.#and();
    while (this.#takes("||")) {
      const other = this.#and();
      value = truthy(value) ? value : other;
    }
    return value;
  }

  #and(): unknown {
    let value = this.#equal();
    while (this.#takes("&&")) {
      const other = this.#equal();
      value = truthy(value) ? other : value;
    }
    return value;
  }

  #equal(): unknown {
    const value = this.#not();
    if (this.#takes("==")) return asText(value).toLowerCase() === asText(this.#not()).toLowerCase();
    if (this.#takes("!=")) return asText(value).toLowerCase() !== asText(this.#not()).toLowerCase();
    return value;
  }

  #not(): unknown {
    return this.#takes("!") ? !truthy(this.#not()) : this.#one();
  }

  #one(): unknown {
    if (this.#takes("(")) {
      const value = this.#or();
      if (!this.#takes(")")) throw new Error("a bracket is not closed");
      return value;
    }
    const token = this.#tokens.shift();
    if (token?.kind === "text") return token.value;
    if (token?.kind === "number") return Number(token.value);
    if (token?.kind !== "name") throw new Error(`not understood: ${token?.value ?? "the end"}`);
    if (token.value === "true" || token.value === "false") return token.value === "true";
    const value = this.#takes("(") ? this.#called(token.value) : this.#named(token.value);
    return this.#inside(value);
  }

  #called(name: string): unknown {
    if (name === "fromJSON") {
      const value: unknown = JSON.parse(asText(this.#or()));
      if (!this.#takes(")")) throw new Error("a bracket is not closed");
      return value;
    }
    if (!this.#takes(")")) throw new Error(`${name}() takes no arguments here`);
    if (name === "always") return true;
    if (name === "cancelled") return false;
    const value = this.#contexts[`${name}()`];
    if (value === undefined) throw new Error(`the function ${name}() is not known here`);
    return value;
  }

  #named(name: string): unknown {
    if (!Object.hasOwn(this.#contexts, name)) throw new Error(`the context ${name} is not known here`);
    return this.#contexts[name];
  }

  #inside(whole: unknown): unknown {
    let value = whole;
    while (this.#takes(".")) {
      const step = this.#tokens.shift();
      if (step?.kind !== "name") throw new Error("a name must follow the point");
      value = typeof value === "object" && value !== null ? Reflect.get(value, step.value) : undefined;
    }
    return value;
  }
}

function truthy(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "object") throw new Error("an object is no text");
  return String(value);
}
