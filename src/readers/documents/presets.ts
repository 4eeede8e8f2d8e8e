import type { TableMapping } from '../schema/source-types.ts';
import presets from './presets.json' with { type: 'json' };

const themes: Readonly<Record<string, TableMapping>> = presets;

/** Returns a mapping with the columns of the theme that it names as its preset. */
export function withPreset(mapping: TableMapping): TableMapping {
  const preset = themes[mapping.preset ?? ''];
  if (preset === undefined) return mapping;
  return { ...preset, ...mapping, columns: { ...preset.columns, ...mapping.columns } };
}
