import { parseArgs } from 'node:util';
import { mountOf } from '../../src/api/address.ts';
import { abilities } from '../../src/hosts/host.ts';
import { findHost } from '../../src/hosts/table.ts';
import { failureReason } from '../../src/system/failure.ts';
import { askOver, runRows } from './run-rows.ts';

/**
 * `npm run conformance -- URL [--as HOST]`: sends every request of the table to a deployed site.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { as: { type: 'string' } },
  });
  const [url] = positionals;
  if (url === undefined || !URL.canParse(url)) {
    process.stderr.write('npm run conformance -- https://any.host/base [--as nginx]\n');
    return 2;
  }
  const unsupported = values.as === undefined ? [] : (await findHost(values.as)).unsupported;
  const results = await runRows(askOver(url.replace(/\/$/, '')), Date.now(), mountOf(url));
  for (const { row, failure } of results) {
    const declared = unsupported.includes(row.ability) ? ' (declared)' : '';
    const how = failure === null ? 'ok  ' : `FAIL${declared}`;
    const path = row.path.length > 80 ? `${row.path.slice(0, 80)}…` : row.path;
    process.stdout.write(
      `${how} ${row.ability}: ${row.method} ${path}${failure === null ? '' : `: ${failure}`}\n`,
    );
  }
  for (const ability of Object.keys(abilities)) {
    const of = results.filter(({ row }) => row.ability === ability);
    process.stdout.write(
      `${ability.padEnd(10)} ${of.filter(({ failure }) => failure === null).length} of ${of.length}\n`,
    );
  }
  return results.every(({ row, failure }) => failure === null || unsupported.includes(row.ability))
    ? 0
    : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`nothing was asked: ${failureReason(error)}\n`);
  process.exitCode = 1;
}
