import { expect, test } from 'vitest';
import { typeName, type Schema } from '../../src/render/reference-text.ts';

test.each<[Schema, string]>([
  [{ type: 'string' }, 'string'],
  [{}, 'any'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ type: 'integer', minimum: 0 }, 'integer from 0'],
  [{ type: 'integer', minimum: 1, maximum: 200 }, 'integer from 1 to 200'],
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer from 1'],
  [{ type: 'number', maximum: 90 }, 'number to 90'],
  [{ $ref: '#/components/schemas/Event' }, 'Event'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Event' } }, 'list of Event'],
  [{ anyOf: [{ const: 200 }, { type: 'null' }] }, 'always 200 or null'],
  [{ enum: ['day', 'hour'] }, '`day` or `hour`'],
])('%j is %s', (schema, name) => {
  expect(typeName(schema)).toBe(name);
});
