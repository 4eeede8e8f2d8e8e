import { problemDocument } from '../../api/problems.ts';
import { ProblemError } from '../../problem/messages.ts';
import { decodeSegment } from '../../server/query.ts';

/*
 * What the configurations of web servers have in common: they match paths as they are once decoded and queries as they
 * are written, and obey some characters wherever they stand.
 */

/** The path of a base URL as a part of a pattern that matches it and nothing else. */
export function patternOf(mount: string): string {
  return decodeSegment(mount).replace(/[^\w/\u0080-\u{10ffff}-]/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** A parameter's name in a query as a client may write it: each letter as it is, or percent-encoded. */
export function nameIn(name: string): string {
  const letters = Array.from(name, (letter) => {
    const [high, low = ''] = letter.charCodeAt(0).toString(16);
    return `(?:${letter}|%${high}${/[a-f]/.test(low) ? `[${low}${low.toUpperCase()}]` : low})`;
  });
  return letters.join('');
}

/** A pattern that a query matches in which a parameter is given twice, with a value or without. */
export function twiceIn(name: string): string {
  const key = nameIn(name);
  return `(?:^|&)${key}(?:=[^&]*)?&(?:.*&)?${key}(?:=|&|$)`;
}

/** The problems that a web server tells by itself, as JSON; it cannot name what it was given. */
export function fixedProblems(baseUrl: string) {
  const repeated = 'A parameter is given more than once; give it once.';
  const method = 'This interface is read with GET, HEAD or OPTIONS.';
  return {
    repeated: JSON.stringify(problemDocument(baseUrl, 'repeated-parameter', repeated)),
    method: JSON.stringify(problemDocument(baseUrl, 'method-not-allowed', method)),
  };
}

/** The folder of a site. Throws the problem `site-path-refused` where it holds what the host obeys even in quotation marks. */
export function siteFor(host: string, site: string, obeyed: RegExp): string {
  const character = obeyed.exec(site)?.[0];
  if (character === undefined) return site;
  throw new ProblemError([{ code: 'site-path-refused', place: null, site, host, character }]);
}
