/** The schemas of the published documents, as JSON Schema. Written by `npm run generate` from schemas.ts. */
export const documentSchemas = {
  Index: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, description: 'Name of the service.' },
      version: { type: 'integer', const: 1, description: 'Interface version.' },
      documentation: { type: 'string', format: 'uri', description: 'Address of the human-readable reference.' },
      license: { type: 'string', minLength: 1, description: 'Licence statement: free, no key.' },
      catalogue: {
        type: 'object',
        properties: {
          genres: { type: 'integer', minimum: 0, description: 'Number of genres.' },
          subjects: { type: 'integer', minimum: 0, description: 'Number of subjects.' },
          upcoming: { type: 'integer', minimum: 0, description: 'Number of upcoming events, uncapped.' },
          categories: { type: 'integer', minimum: 0, description: 'Number of categories.' },
          last_sync: {
            type: 'string',
            format: 'date-time',
            pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
            description: 'Time of the last synchronisation of the catalogue.',
          },
        },
        required: ['genres', 'subjects', 'upcoming', 'categories', 'last_sync'],
        description: 'Catalogue totals.',
      },
      endpoints: {
        type: 'object',
        propertyNames: { type: 'string' },
        additionalProperties: { type: 'string' },
        description: 'The operations: `<METHOD> <path>[?<example query>]` to a one-sentence description.',
      },
      note: { type: 'string', minLength: 1, description: 'How to read `time_known` and `precision`.' },
    },
    required: ['name', 'version', 'documentation', 'license', 'catalogue', 'endpoints', 'note'],
    description: 'The index document: the service, its licence, its totals and its operations.',
  },
  Categories: {
    type: 'object',
    properties: {
      categories: {
        type: 'array',
        items: { $ref: '#/components/schemas/Category' },
        description: 'Every category, by id.',
      },
    },
    required: ['categories'],
    description: 'Every category.',
  },
  Category: {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
        description: 'The id that the `category` filter accepts.',
      },
      name: { type: 'string', minLength: 1, description: 'Name of the category.' },
      genres: { type: 'integer', minimum: 0, description: 'Number of its genres.' },
      upcoming: { type: 'integer', minimum: 0, description: 'Number of its upcoming events.' },
    },
    required: ['id', 'name', 'genres', 'upcoming'],
    description: 'A category, with its genre count and upcoming count.',
  },
  Genres: {
    type: 'object',
    properties: {
      filters: {
        type: 'object',
        properties: {
          category: {
            anyOf: [{ type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }, { type: 'null' }],
            description: 'The category asked for; null when all are listed.',
          },
        },
        required: ['category'],
        description: 'Which question this document answers.',
      },
      genres: { type: 'array', items: { $ref: '#/components/schemas/Genre' }, description: 'The genres, by id.' },
    },
    required: ['filters', 'genres'],
    description: 'Genres: all, or those of one category.',
  },
  Genre: {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
        description: 'The id that the `genre` filter accepts.',
      },
      name: { type: 'string', minLength: 1, description: 'Name of the genre.' },
      category: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', description: 'The category it belongs to.' },
      subjects: { type: 'integer', minimum: 0, description: 'Number of its subjects.' },
      upcoming: { type: 'integer', minimum: 0, description: 'Number of its upcoming events.' },
    },
    required: ['id', 'name', 'category', 'subjects', 'upcoming'],
    description: 'A genre, with its subject count and upcoming count.',
  },
  Events: {
    type: 'object',
    properties: {
      filters: {
        type: 'object',
        properties: {
          genre: {
            anyOf: [{ type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }, { type: 'null' }],
            description: 'The genre asked for; null when not narrowed.',
          },
          category: {
            anyOf: [{ type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }, { type: 'null' }],
            description: 'The category asked for; null when not narrowed.',
          },
        },
        required: ['genre', 'category'],
        description: 'Which question this document answers.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 200, description: 'The cap in force.' },
      total: { type: 'integer', minimum: 0, description: 'Every match before the cap.' },
      events: {
        maxItems: 200,
        type: 'array',
        items: { $ref: '#/components/schemas/Event' },
        description: 'The soonest events, by `starts_at`, then `id`.',
      },
    },
    required: ['filters', 'limit', 'total', 'events'],
    description: 'Upcoming events, soonest first.',
  },
  Event: {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        pattern: '^[a-z0-9]+(-[a-z0-9]+)*(\\/[a-z0-9]+(-[a-z0-9]+)*){2}$',
        description: '`{genre}/{subject}/{event}`: unique, and the same from build to build.',
      },
      title: { type: 'string', minLength: 1, description: 'What happens.' },
      subject: {
        type: 'object',
        properties: {
          id: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', description: 'Identifier of the subject.' },
          name: { type: 'string', minLength: 1, description: 'Name of the subject.' },
        },
        required: ['id', 'name'],
        description: 'What it happens to: a show, a team, a comet.',
      },
      genre: {
        type: 'string',
        pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
        description: 'The id that the `genre` filter accepts.',
      },
      category: {
        type: 'string',
        pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
        description: 'The id that the `category` filter accepts.',
      },
      starts_at: {
        type: 'string',
        format: 'date-time',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
        description: 'Start in UTC. With `time_known` false: midnight UTC of `date`, and only the date is real.',
      },
      date: {
        type: 'string',
        format: 'date',
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'The calendar date where the event happens: what to show when the time is not known.',
      },
      zone: { description: 'IANA zone of the place, where the source gives one.', type: ['string', 'null'] },
      time_known: {
        type: 'boolean',
        description: 'False: the date is real, the clock time is not. True: the clock time is real.',
      },
      precision: {
        type: 'string',
        enum: ['day', 'hour', 'minute', 'second'],
        description: 'The finest unit that is real; `day` exactly when `time_known` is false.',
      },
      url: {
        anyOf: [{ type: 'string', pattern: '^https:\\/\\/[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$' }, { type: 'null' }],
        description: 'Page about the event, else about its subject.',
      },
      upcoming_until: {
        type: 'string',
        format: 'date-time',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
        description:
          'The instant at which the event stops being upcoming: `starts_at` when the time is known, else the end of `date`.',
      },
    },
    required: [
      'id',
      'title',
      'subject',
      'genre',
      'category',
      'starts_at',
      'date',
      'zone',
      'time_known',
      'precision',
      'url',
      'upcoming_until',
    ],
    description: 'An upcoming event.',
  },
  Problem: {
    type: 'object',
    properties: {
      type: { type: 'string', description: 'Address of the description of this kind of problem.' },
      title: { type: 'string', minLength: 1, description: 'The kind of problem in words.' },
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
      detail: { type: 'string', minLength: 1, description: 'What was asked, and what would be right.' },
    },
    required: ['type', 'title', 'status', 'detail'],
    description: 'A problem (RFC 9457).',
  },
  Inventory: {
    type: 'object',
    properties: {
      generator: {
        type: 'string',
        pattern: '^almanac\\/',
        description: 'The program that built the site, and its version.',
      },
      files: {
        type: 'object',
        propertyNames: { type: 'string' },
        additionalProperties: {
          type: 'object',
          properties: {
            bytes: { type: 'integer', minimum: 0, description: 'Its size.' },
            sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'Its SHA-256, in hexadecimal digits.' },
          },
          required: ['bytes', 'sha256'],
        },
        description: 'The files by their path below the base URL.',
      },
    },
    required: ['generator', 'files'],
    description: 'Every file of the site but this one.',
  },
} as const;
