/**
 * The environment of a process of Node whose clock stands still at an instant, in milliseconds
 * since the Unix epoch.
 */
export function frozenClock(milliseconds: number): { readonly NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=data:text/javascript,Date.now=()=>${milliseconds}` };
}
