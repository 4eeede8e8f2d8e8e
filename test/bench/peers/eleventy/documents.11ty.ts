import { readDocuments, type Page } from '../documents.ts';

/** One template, paged over the documents: how Eleventy makes many files of data. */
export const data = {
  documents: await readDocuments(process.env['BENCH_DATA'] ?? ''),
  pagination: { data: 'documents', size: 1, alias: 'page_' },
  permalink: ({ page_ }: { page_: Page }) => `/${page_.path}`,
  eleventyExcludeFromCollections: true,
};

export function render({ page_ }: { page_: Page }): string {
  return `${JSON.stringify(page_.document)}\n`;
}
