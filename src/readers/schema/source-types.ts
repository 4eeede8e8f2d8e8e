import type { z } from 'zod';
import type { DateOrder } from './rules.ts';
import type { TextFormat } from './file-kinds.ts';
import type { eventSchema, sourceSchemas } from './source-schemas.ts';

/** The kinds of source files. */
export type SourceKind = keyof typeof sourceSchemas;

/** The source files as values. */
export type Sources = { readonly [Kind in SourceKind]: z.infer<(typeof sourceSchemas)[Kind]> } & {
  readonly source: {
    readonly format?: TextFormat | undefined;
    readonly dates?: DateOrder | undefined;
  };
  readonly columns: { readonly dates?: DateOrder | undefined };
};
export type CollectionSource = Exclude<Sources['collections'][string], string | undefined>;
/**
 * How to read a table with other column names: from the file next to it or from a remote source
 * file.
 */
export type TableMapping = Omit<Sources['columns'], '$schema' | 'formerly'>;
/** A `.source.json` of an address. */
export type RemoteSource = Sources['source'] & {
  readonly source: string;
  readonly format: TextFormat;
};
export type EventSource = z.infer<typeof eventSchema>;
export type LocationSource = NonNullable<EventSource['location']> | null;

/** An event or subject whose invalid fields are undefined. */
type Blanked<T> = { readonly [Key in keyof T]?: T[Key] | undefined };
export type PartialEvent = Blanked<EventSource>;
export type PartialSubject = Blanked<Omit<Sources['subject'], 'events'>> & {
  readonly events?: readonly PartialEvent[];
};
