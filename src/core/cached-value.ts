/**
 * Returns the cached value of this key. If there is none, calls `make` and caches what it returns: of a promise, also one that
 * rejects.
 */
export function cachedValue<Key, Value>(
  cache: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
}

/** `make`, with the value for the latest arguments kept. They are compared by `===`, so nobody may change one. */
export function keepingLatest<Args extends readonly unknown[], Value>(
  make: (...args: Args) => Value,
): (...args: Args) => Value {
  let latest: { args: Args; value: Value } | undefined;
  return (...args) => {
    if (!latest?.args.every((arg, at) => arg === args[at])) latest = { args, value: make(...args) };
    return latest.value;
  };
}
