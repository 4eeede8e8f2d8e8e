import { readDocuments, type Page } from '../../../documents.ts';

/** One endpoint for all documents, which is the usual way to generate many data files with Astro. */
export async function getStaticPaths(): Promise<object[]> {
  const pages = await readDocuments(process.env['BENCH_DATA'] ?? '');
  return pages.map((page) => ({
    params: { path: page.path.replace(/\.json$/, '') },
    props: page,
  }));
}

export function GET({ props }: { props: Page }): Response {
  return new Response(`${JSON.stringify(props.document)}\n`);
}
