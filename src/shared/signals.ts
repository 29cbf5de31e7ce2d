/** Signals that end programs, with the numbers that all POSIX systems share. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/** The signal that a shell reports as exit code 128 plus its number; undefined: the code is not such a report. */
export function signalOfExit(exitCode: number): string | undefined {
  return SIGNALS[exitCode - 128];
}

/** The exit code by which a shell reports the signal. */
export function exitOfSignal(signal: string): number | undefined {
  const number = Object.keys(SIGNALS).find((key) => SIGNALS[Number(key)] === signal);
  return number === undefined ? undefined : 128 + Number(number);
}
