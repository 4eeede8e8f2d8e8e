/*
 * Types of the platform that also compile for users who load neither `lib: dom` nor the types of Node. For them, the
 * parts that the client does not need are unknown.
 */

type Instance<Name extends string, Fallback> =
  typeof globalThis extends Record<Name, { prototype: infer Value }> ? Value : Fallback;

/** The platform's AbortSignal. */
export type Signal = Instance<'AbortSignal', { readonly aborted: boolean }>;
/** The platform's URL. */
export type Address = Instance<'URL', { readonly href: string }>;
/** The platform's fetch. */
export type Fetch = typeof globalThis extends { fetch: infer Value }
  ? Value
  : (url: string, init?: object) => Promise<unknown>;
