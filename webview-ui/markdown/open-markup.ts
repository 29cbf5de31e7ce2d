/**
 * Tracks the inline markup that is open at a position in a paragraph. May report closed markup as open, but rarely the
 * reverse.
 */
export class OpenMarkup {
  #code = 0;
  #brackets = 0;
  #isAddress = false;
  /** Open emphasis markers. */
  readonly #open = new Set<string>();
  /** The current run of equal characters, the character before it, and whether the next character is escaped. */
  #run = "";
  #beforeRun = "";
  #isEscaped = false;

  reset(): void {
    this.#code = 0;
    this.#brackets = 0;
    this.#isAddress = false;
    this.#open.clear();
    this.#run = "";
    this.#isEscaped = false;
  }

  get none(): boolean {
    return this.#code + this.#brackets + this.#open.size === 0 && this.#run === "" && !this.#isAddress;
  }

  read(character: string, before: string): void {
    if (this.#run !== "" && character !== this.#run[0]) this.#endRun(character);
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return;
    }
    if (character === "`" || (this.#code === 0 && "*_~".includes(character))) {
      if (this.#run === "") this.#beforeRun = before;
      this.#run += character;
    } else if (this.#code > 0) return;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === "[") this.#brackets++;
    else if (character === "]") this.#brackets = Math.max(0, this.#brackets - 1);
    else if (character === "(" && before === "]") this.#isAddress = true;
    else if (character === ")") this.#isAddress = false;
  }

  #endRun(after: string): void {
    const run = this.#run;
    this.#run = "";
    if (run[0] === "`") {
      if (this.#code === 0) this.#code = run.length;
      else if (this.#code === run.length) this.#code = 0;
      return;
    }
    const isApart = /^\s?$/.test(this.#beforeRun) && /\s/.test(after);
    const isInWord = run[0] === "_" && /[\p{L}\p{N}]/u.test(this.#beforeRun) && /[\p{L}\p{N}]/u.test(after);
    if (isApart || isInWord) return;
    const signs = run.length % 2 === 1 ? [run.slice(0, 1)] : [];
    if (run.length > 1) signs.push(run.slice(0, 2));
    for (const sign of signs) if (!this.#open.delete(sign)) this.#open.add(sign);
  }
}
