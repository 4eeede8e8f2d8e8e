import { readDocuments, type Page } from '../documents.ts';

/** The part of Eleventy's configuration that is used here. */
interface Configuration {
  readonly addGlobalData: (name: string, read: () => Promise<Page[]>) => void;
  readonly addWatchTarget: (folder: string) => void;
}

/** Reads the catalogue at each build, and builds again when it is edited. */
export default function configure(configuration: Configuration): void {
  const folder = process.env['BENCH_DATA'] ?? '';
  configuration.addWatchTarget(folder);
  configuration.addGlobalData('documents', async () => readDocuments(folder));
}
