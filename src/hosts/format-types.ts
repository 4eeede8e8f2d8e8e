import { contentTypeOf, namedTypes } from '../api/content-types.ts';
import { formats } from '../api/formats.ts';

/** The content types of the formats that are not JSON, by the end of their paths: `.ics`, `/feed.xml`. */
export const formatTypes: readonly (readonly [end: string, type: string])[] = [
  ...new Map(
    Object.values(formats)
      .filter(({ mediaType }) => mediaType !== 'application/json')
      .map(({ file }) => [
        file in namedTypes ? `/${file}` : file.slice(file.lastIndexOf('.')),
        contentTypeOf(file) ?? '',
      ]),
  ),
];
