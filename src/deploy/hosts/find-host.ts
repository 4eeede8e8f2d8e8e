import { nearest } from '../../problem/nearest.ts';
import { ProblemError } from '../../problem/problem.ts';
import type { Host } from './host.ts';
import { hostNames, hosts } from './table.ts';

/** The host of a name. Throws the problem `unknown-host`. */
export function findHost(name: string): Host {
  const host = hosts.find((candidate) => candidate.name === name || candidate.alias === name);
  if (host !== undefined) return host;
  const near = nearest(name, hostNames);
  throw new ProblemError([{ code: 'unknown-host', place: null, found: name, nearest: near, allowed: hostNames }]);
}
