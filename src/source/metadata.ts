import {
  companions,
  type Category,
  type Extra,
  type Genre,
  type Service,
} from '../catalogue/model.ts';
import { joinExtra } from '../readers/schema/extra.ts';
import type { Sources } from '../readers/schema/source-types.ts';
import { detailsOf, joinTags } from './details.ts';
import {
  metadataFiles,
  type CategoryFolder,
  type GenreFolder,
  type DataListing,
} from './folder.ts';
import type { Claim, Claims } from './former.ts';
import { locationOf } from './subject.ts';
import type { SourceFolder } from './text.ts';
import { readSource } from './validate.ts';

/** What the metadata files of a data folder say. */
export interface Metadata {
  readonly service: Service;
  /** The base URL in service.json. Null if it has none, undefined if service.json can't be used. */
  readonly baseUrl: string | null | undefined;
  /** Ordered by id. */
  readonly categories: readonly Category[];
  readonly genres: readonly DataGenre[];
  readonly claims: Claims;
}

/** A genre of a data folder, and its files. */
export interface DataGenre {
  readonly genre: Genre;
  readonly category: Category;
  readonly files: GenreFolder;
}

const defaultPastDays = 180;

/** Reads the metadata files. Reports everything that is wrong with them. */
export function readMetadata(folder: SourceFolder, listing: DataListing): Metadata {
  const hasService = listing.service === 'present';
  const source = hasService ? readSource(folder, metadataFiles.service, 'service') : null;
  const service = serviceOf(source, declaredZone(listing.service, source) ?? null);
  const above = {
    ...folder,
    defaultZone: service.zone,
  };
  const categories: Category[] = [];
  const genres: DataGenre[] = [];
  const categoryClaims: Claim[] = [];
  const genreClaims: Claims['genres'][number][] = [];
  for (const { id, metadata, genres: genreFolders } of listing.categories) {
    const path = `${id}/${metadataFiles.category}`;
    const categorySource = metadata === 'present' ? readSource(above, path, 'category') : null;
    const category = { id, name: categorySource?.name ?? '' };
    categories.push(category);
    categoryClaims.push({
      id,
      formerly: categorySource?.formerly ?? [],
      path,
    });
    for (const files of genreFolders) {
      const { genre, claim } = readGenreMetadata(above, files, id, source?.extra);
      genres.push({ genre, category, files });
      genreClaims.push(claim);
    }
  }
  return {
    service,
    baseUrl: source === null ? undefined : (source.base_url ?? null),
    categories,
    genres,
    claims: { categories: categoryClaims, genres: genreClaims },
  };
}

function readGenreMetadata(
  folder: SourceFolder,
  files: GenreFolder,
  category: string,
  extraAbove: Extra | null = null,
) {
  const { id } = files;
  const path = `${files.path}/${metadataFiles.genre}`;
  const source = files.metadata === 'present' ? readSource(folder, path, 'genre') : null;
  const { name = '', location, tags, extra, formerly = [] } = source ?? {};
  const declared = declaredZone(files.metadata, source);
  const genre: Genre = {
    id,
    name,
    category,
    zone: declared === undefined ? (folder.defaultZone ?? null) : declared,
    location: location === undefined ? null : locationOf(location),
    tags: joinTags(tags, []),
    details: detailsOf(source ?? {}, null),
    extra: joinExtra(extra, extraAbove),
  };
  return {
    genre,
    claim: { id, category, formerly, path, folder: files.path },
  };
}

function serviceOf(source: Sources['service'] | null, zone: string | null): Service {
  const { name = '', license = '', authority = null, lang = 'en', labels = {} } = source ?? {};
  const { tagline = null, accent = null, edit_url: editUrl = null, credit = true } = source ?? {};
  const formatNames: readonly string[] = source?.formats ?? companions;
  // Feeds need the log of changes, which needs events.ndjson.
  const hasBulk = formatNames.includes('ndjson');
  const formats = companions.filter(
    (format) => formatNames.includes(format) && (format !== 'feed' || hasBulk),
  );
  return {
    name,
    license,
    authority,
    lang,
    zone,
    tagline,
    accent,
    formats,
    pages: (source?.pages ?? 'all') as Service['pages'],
    hasCredit: credit,
    editUrl,
    labels,
    // Events that are over are kept only if the site has the file from which the next build reads
    // them.
    pastDays: hasBulk ? (source?.past ?? defaultPastDays) : 0,
  };
}

/**
 * Returns the zone that a metadata file declares. An invalid file has UTC, which causes no further
 * problems.
 */
function declaredZone(
  state: CategoryFolder['metadata'],
  source: { readonly zone?: string | null | undefined } | null,
) {
  if (state === 'present' && source === null) return 'UTC';
  return source?.zone;
}
