import { cpus } from 'node:os';

/**
 * Formats rows as a table in Markdown, which a terminal shows as well. All columns but the first
 * contain figures.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const lineOf = (row: readonly string[]): string => {
    const cells = widths.map((width, column) =>
      (row[column] ?? '')[column === 0 ? 'padEnd' : 'padStart'](width),
    );
    return `| ${cells.join(' | ')} |\n`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [head, rule, ...rows].map(lineOf).join('');
}

/** Describes the machine that the figures were measured on, and the date. */
export function machine(): string {
  const [first] = cpus();
  const today = new Date().toISOString().slice(0, 10);
  return `${cpus().length} × ${first?.model.trim()}, ${process.platform}, Node ${process.versions.node}, ${today}`;
}

/** Returns the middle value, or the mean of the two middle values of an even number of them. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}
