import type { ListKind } from '../api/scopes.ts';

/** The addresses of the pages, relative to `{base_url}`. */

export function categoryPage(category: string): string {
  return `category/${category}/`;
}

/** @param page 1 for the first page of a genre */
export function genrePage(genre: string, page = 1): string {
  if (page === 1) return `genre/${genre}/`;
  return `genre/${genre}/page/${page}/`;
}

/** `month` is such as `2027-03`. */
export function monthPage(month: string): string {
  return `month/${month}/`;
}

/** The page of a month, country, tag or collection. */
export function listPage(kind: ListKind, id: string): string {
  return `${kind}/${id}/`;
}

/** The first month that has events. */
export const monthsPage = 'month/';
export const yearPage = 'year/';
export const searchPage = 'search/';
export const changesPage = 'changes/';
export const followingPage = 'following/';
/** The page that links to those of all lists. */
export const listsPage = 'lists/';

/**
 * Returns the prefix of links from a page in a folder to the root of the site: `../../` for
 * `genre/drama-tv/`.
 */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}
