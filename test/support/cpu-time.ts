/** Seconds that this process computed during `work`: unlike the time that passed, they do not grow on a busy machine. */
export function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
