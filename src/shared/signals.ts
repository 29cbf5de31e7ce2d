/** Signals that end programs, by the numbers that every POSIX system gives them. */
const signals: Readonly<Record<number, string>> = {
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

/** The signal that a shell means by an exit code of 128 and its number; undefined: it means none. */
export function signalOfExit(exitCode: number): string | undefined {
  return signals[exitCode - 128];
}

/** The exit code by which a shell tells of the signal. */
export function exitOfSignal(signal: string): number | undefined {
  const number = Object.keys(signals).find((key) => signals[Number(key)] === signal);
  return number === undefined ? undefined : 128 + Number(number);
}
