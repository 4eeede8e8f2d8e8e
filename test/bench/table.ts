/** Rows of text as a table: in columns for a terminal, or in Markdown. The first column is words, the others figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], isMarkdown: boolean): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  const cells = (row: readonly string[]): string[] =>
    widths.map((width, column) =>
      column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width),
    );
  if (!isMarkdown) return [head, ...rows].map((row) => `${cells(row).join('  ').trimEnd()}\n`).join('');
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [cells(head), rule, ...rows.map(cells)].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
