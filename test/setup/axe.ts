import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Returns the violations of WCAG 2.2 A and AA, and of its own best practices, that axe reports. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The debugger injects it, which the security policy of the page does not prevent.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe.source);
  const which = rules === undefined ? { rules: { 'target-size': { enabled: true } } } : { runOnly: rules };
  const options = JSON.stringify({ resultTypes: ['violations'], ...which });
  const found = await page.evaluate<Violation[]>(`axe.run(document, ${options}).then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
