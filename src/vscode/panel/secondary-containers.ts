/** Whether extensions can contribute containers to the secondary side bar. Earlier versions ignore the contribution. */
const FIRST_WITH_SECONDARY = [1, 106] as const;

/** `version`: of VS Code, such as `1.106.2-insider`. */
export function hasSecondaryContainers(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return (
    major > FIRST_WITH_SECONDARY[0] || (major === FIRST_WITH_SECONDARY[0] && minor >= FIRST_WITH_SECONDARY[1])
  );
}
