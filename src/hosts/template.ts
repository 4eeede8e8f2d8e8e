import { contentTypeOf, namedTypes } from '../api/content-types.ts';
import { formats } from '../api/formats.ts';
import { readPackageFile } from '../system/package.ts';

/**
 * Fills in the template of a host's file: `{{name}}` becomes the value of that name. The lines
 * between `{{#name}}` and `{{/name}}` stay only if that value is not empty. In JavaScript and JSON
 * the values are escaped as parts of strings.
 *
 * @param path relative to this folder; `npm run compile` copies the templates to `lib/hosts/`
 */
export function fillTemplate(path: string, values: Readonly<Record<string, string>>): string {
  const isScript = /\.(m?js|jsonc?)$/.test(path);
  const section = /^.*\{\{#(\w+)\}\}\n([^]*?)^.*\{\{\/\1\}\}\n/gm;
  return readPackageFile(`lib/hosts/${path}`)
    .replace(section, (_, name: string, lines: string) => (values[name] === '' ? '' : lines))
    .replace(/\{\{(\w+)\}\}/g, (marker, name: string) => {
      const value = values[name] ?? marker;
      if (isScript) return JSON.stringify(value).slice(1, -1);
      return value;
    });
}

/** Puts white space before every line, and removes the line break at the end. */
export function indent(lines: string, space: string): string {
  return lines.replace(/^(?=.)/gm, space).trimEnd();
}

/**
 * The content types that hosts do not know by themselves, by the end of the paths that have them:
 * `.ics`, `/feed.xml`.
 */
export const unusualTypes: readonly (readonly [end: string, type: string])[] = [
  ...new Map(
    [...Object.values(formats).map(({ file }) => file), 'site.webmanifest']
      .filter((file) => !file.endsWith('.json'))
      .map((file) => [
        file in namedTypes ? `/${file}` : file.slice(file.lastIndexOf('.')),
        contentTypeOf(file) ?? '',
      ]),
  ),
];
