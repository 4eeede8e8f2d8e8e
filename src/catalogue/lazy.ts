/** Returns a function that makes its result when it is first called. */
export function lazy<T>(make: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => (result ??= { value: make() }).value;
}
