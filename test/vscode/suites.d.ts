/** Written by esbuild.mjs: every *.test.ts of this folder, as a function that loads it. */
declare module "suites:all" {
  export const suites: Record<string, () => unknown>;
}
