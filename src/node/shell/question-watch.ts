/** Tells when the end of a command's output looks like a question that waits for what the user types. */

/** Milliseconds without output after which a question at its end counts as one that waits for the user. */
const QUESTION_PATIENCE = 1_500;
/** How questions end that programs ask in a terminal: `Name: `, `Continue? [Y/n] `, `(yes/no) `, `> `; also in full-width characters. */
const QUESTION = /(?:[?:>)\]›❯？：＞）］]|\by\/n)\s*$/i;
/** What programs ask for that nobody else must read. */
const SECRET =
  /passw(?:or)?d|pass ?(?:phrase|code)|\bPIN\b|secret|token|api.?key|パスワード|パスフレーズ|暗証/i;
/** Characters of the last line that are kept to tell whether it is a question. */
const LINE_TAIL = 200;

export interface QuestionWatchOptions {
  /** Milliseconds; default: `QUESTION_PATIENCE`. */
  patience?: number | undefined;
  /** Resolves to whether the terminal hides what is typed, as for a password. Must not reject. */
  hidesInput(): Promise<boolean>;
  /** `isHidden`: the program asks for a secret, or hides what is typed. Called again if that becomes known later. */
  tell(waits: boolean, isHidden: boolean): void;
}

export class QuestionWatch {
  readonly #options: QuestionWatchOptions;
  /** The end of the last line, if it is incomplete. */
  #line = "";
  #timer: NodeJS.Timeout | undefined;
  #waits = false;

  constructor(options: QuestionWatchOptions) {
    this.#options = options;
  }

  /** A question waits for an answer. */
  get waits(): boolean {
    return this.#waits;
  }

  /** The command printed text: nothing waits, unless the last line is a question and stays the last line. */
  printed(text: string): void {
    const shown = this.#line + text;
    this.#line = shown.slice(shown.lastIndexOf("\n") + 1).slice(-LINE_TAIL);
    this.#look();
  }

  /** The user answered, or the command ended. */
  settle(): void {
    this.#line = "";
    this.#look();
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.#waits) {
      this.#waits = false;
      this.#options.tell(false, false);
    }
    const line = this.#line.replace(/\x1b\[[\d;?]*[A-Za-z]/g, "");
    if (!QUESTION.test(line)) return;
    this.#timer = setTimeout(() => void this.#ask(line), this.#options.patience ?? QUESTION_PATIENCE);
  }

  async #ask(line: string): Promise<void> {
    const asked = this.#timer;
    const { tell, hidesInput } = this.#options;
    const isSecret = SECRET.test(line);
    this.#waits = true;
    tell(true, isSecret);
    if (isSecret || !(await hidesInput())) return;
    if (this.#waits && this.#timer === asked) tell(true, true);
  }
}
