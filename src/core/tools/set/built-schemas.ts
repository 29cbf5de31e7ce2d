/**
 * JSON schemas of the built-in tools, by their names. The build of a program replaces this file by one that has them, because to derive them
 * takes 4 % of a start; without a build, they are derived when they are asked for.
 */
export const builtSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {};
