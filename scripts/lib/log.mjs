// Progress lines of the repository's commands. They use only standard output, so that they keep their order.

/** Prints one line. @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * A readable duration: "850 ms", "4.2 s", "3 min 5 s".
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/**
 * Prints the title, runs the work, and prints how long it took.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  say(`${title} ...`);
  const start = performance.now();
  const result = await work();
  say(`${title}: done in ${duration(performance.now() - start)}`);
  return result;
}

/** An error that the user can fix: only its message is shown, without a stack. */
export class Trouble extends Error {}

/**
 * Runs a script's main function; a failure ends the process with exit code 1 and a readable message.
 * @param {() => Promise<number | void>} main returns the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const text =
      error instanceof Trouble ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}
