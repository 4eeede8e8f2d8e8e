import { hash } from 'node:crypto';
import { problemDocument } from '../api/problems.ts';
import { decodeSegment } from '../catalogue/url.ts';
import { ProblemError } from '../problem/problem.ts';
import type { SiteLocation } from './host.ts';

/* What the configurations of nginx and Caddy share. These servers match decoded paths and undecoded queries. */

/** Returns a regular expression that matches the path of a base URL and nothing else. */
export function mountPattern(mount: string): string {
  return decodeSegment(mount).replace(/[^\w/\u0080-\u{10ffff}-]/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** Returns how the names in a configuration begin: differently for each catalogue, and short, for PCRE. */
export function nameFor(mount: string): string {
  return mount === '' ? 'almanac' : `almanac_${hash('sha256', mount).slice(0, 8)}`;
}

/** The problem documents that a web server answers without running code, so they cannot quote the request. */
export function staticProblems(baseUrl: string) {
  const repeated = 'A parameter is given more than once; give it once.';
  const method = 'This interface is read with GET, HEAD or OPTIONS.';
  return {
    repeatedProblem: JSON.stringify(problemDocument(baseUrl, 'repeated-parameter', repeated)),
    methodProblem: JSON.stringify(problemDocument(baseUrl, 'method-not-allowed', method)),
  };
}

/** Returns the folder of a site. Throws the problem `site-path-refused` if it contains a special character. */
export function quotableFolder({ site }: SiteLocation, host: string, special: RegExp): string {
  const character = special.exec(site)?.[0];
  if (character === undefined) return site;
  throw new ProblemError([{ code: 'site-path-refused', place: null, site, host, character }]);
}
