/**
 * Returns the cached value of this key. If there is none, calls `make` and caches what it returns: of a promise, also one that
 * rejects.
 */
export function cachedValue<Key, Value>(cache: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
}
