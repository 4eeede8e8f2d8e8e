import { withoutCredentials } from '../../catalogue/url.ts';
import { findSecret } from '../../readers/schema/addresses.ts';

const formats = [
  { format: 'ics', test: /\.ics\b|\bical\b|^webcal/i },
  { format: 'csv', test: /\.(?:csv|tsv)\b|(?:output|format)=csv/i },
  { format: 'json', test: /\.json\b/i },
];

/** Returns what a source file says to fetch an address. A secret is neither shown nor proposed. */
export function proposeSource(address: string) {
  const secret = findSecret(address);
  const shown = secret?.address ?? withoutCredentials(address);
  const url = secret?.proposal ?? shown.replace(/^[a-z]+:/i, 'https:');
  const { format = 'jsonld' } = formats.find(({ test }) => test.test(address)) ?? {};
  return {
    shown,
    source: { source: url, format },
    isSecret: secret !== null,
  };
}
