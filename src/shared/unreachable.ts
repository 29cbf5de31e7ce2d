/** For the `default` of a switch that handles every kind of a union: a kind that is added later does not compile there. */
export function unreachable(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
