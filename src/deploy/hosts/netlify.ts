import { root } from '../../api/paths.ts';
import type { HostFiles, SiteAt } from './host.ts';

export const files: HostFiles = ({ mount }) => ({ _redirects: redirects(mount), _headers: headers(mount) });

function redirects(mount: SiteAt['mount']): string {
  const at = `${mount}/${root}`;
  const rules = [
    [`${at}/KIND`, 'category=:category genre=:genre', '/category/:category/genre/:genre/events.json'],
    [`${at}/KIND`, 'category=:category', '/category/:category/events.json'],
    [`${at}/KIND`, 'genre=:genre', '/genre/:genre/events.json'],
  ];
  const events = ['events', 'events.json'].flatMap((kind) => [
    // A value that climbs must not reach the list without a filter.
    ...['category', 'genre'].map((name) => `${at}/${kind}  ${name}=..  ${mount}/404.json  404!`),
    ...rules.map(([from, query, to]) => `${from?.replace('KIND', kind)}  ${query}  ${at}${to}  200!`),
    `${at}/${kind}  ${at}/events.json  200!`,
  ]);
  const genres = ['genres', 'genres.json'].flatMap((kind) => [
    `${at}/${kind}  category=..  ${mount}/404.json  404!`,
    `${at}/${kind}  category=:category  ${at}/category/:category/genres.json  200!`,
    `${at}/${kind}  ${at}/genres.json  200!`,
  ]);
  return [
    '# Filters of the query form; limit is ignored, and of a repeated parameter the last counts.',
    ...events,
    ...genres,
    `${at}/categories  ${at}/categories.json  200!`,
    `${at}  ${at}/index.json  200!`,
    `${mount}/*  ${mount}/404.json  404`,
    '',
  ].join('\n');
}

function headers(mount: SiteAt['mount']): string {
  const json = ['categories', 'genres', 'events'].map(
    (operation) => `${mount}/${root}/${operation}\n  Content-Type: application/json\n`,
  );
  return [
    `${mount}/*
  Access-Control-Allow-Origin: *
  Access-Control-Expose-Headers: ETag
  Cache-Control: public, max-age=300
`,
    ...json,
  ].join('\n');
}
