import type { Page } from '../documents.ts';

/**
 * One template with pagination over the documents, the usual way to generate many data files with
 * Eleventy.
 */
export const data = {
  pagination: { data: 'documents', size: 1, alias: 'page_' },
  permalink: ({ page_ }: { page_: Page }) => `/${page_.path}`,
  eleventyExcludeFromCollections: true,
};

export function render({ page_ }: { page_: Page }): string {
  return `${JSON.stringify(page_.document)}\n`;
}
