/** Returns the function with a cache of all its results. The same key often comes several times in a row. */
export function memoize<Key, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new Map<Key, Result>();
  let previousKey: Key | undefined;
  let previousResult: Result | undefined;
  return (key) => {
    if (key === previousKey && previousResult !== undefined) return previousResult;
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = compute(key)));
    previousKey = key;
    previousResult = result;
    return result;
  };
}
