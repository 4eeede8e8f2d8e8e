import type { TableMapping } from '../schema/source-types.ts';
import presets from './presets.json' with { type: 'json' };

/** A theme of a site generator, and the keys by which its pages are known. */
interface Preset {
  readonly keys: readonly string[];
  readonly mapping: TableMapping;
}

const themes: Readonly<Record<string, Preset>> = presets;

/** Returns a mapping with the columns of the theme that it names as its preset. */
export function withPreset(mapping: TableMapping): TableMapping {
  const preset = themes[mapping.preset ?? '']?.mapping;
  if (preset === undefined) return mapping;
  return {
    ...preset,
    ...mapping,
    columns: { ...preset.columns, ...mapping.columns },
  };
}

/** Returns the name of the theme whose pages have these keys, or null. */
export function presetOf(names: readonly string[]): string | null {
  const isTheme = (name: string) => themes[name]?.keys.every((key) => names.includes(key)) === true;
  return Object.keys(themes).find(isTheme) ?? null;
}
