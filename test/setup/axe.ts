import type { RunOptions } from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** A page takes half as long to load it as the file that the package exports. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Returns the violations of WCAG 2.2 A and AA, and of its own best practices, that axe reports. */
export async function violations(page: Page, which: RunOptions = {}): Promise<string[]> {
  // The debugger injects it, which the security policy of the page does not prevent.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe);
  const rules = { 'target-size': { enabled: true }, ...which.rules };
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...which,
    ...(!which.runOnly && { rules }),
  });
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
