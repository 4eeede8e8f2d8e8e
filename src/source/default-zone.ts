import { metadataFiles } from './folder.ts';
import { readSource } from './json/validate.ts';
import type { SourceFolder } from './text.ts';

/** Returns the default zone of the events of a genre. */
export function defaultZone(folder: SourceFolder, genre: string): string | null {
  const inGenre = readSource(folder, `${genre}/${metadataFiles.genre}`, 'genre');
  const inService = readSource(folder, metadataFiles.service, 'service');
  return inGenre?.zone === undefined ? (inService?.zone ?? null) : inGenre.zone;
}
