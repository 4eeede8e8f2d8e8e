/** Marks of Markdown, HTML and of the languages of templates, and what remains of them. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/\{\{[<%][\s\S]{0,500}?[>%]\}\}|\{\{[\s\S]{0,500}?\}\}|\{%[\s\S]{0,500}?%\}/g, ''],
  [/^(?:import|export)\s.*$/gm, ''],
  [/<!--[\s\S]{0,5000}?-->/g, ''],
  [/!\[[^\]]*\]\([^)]*\)/g, ''],
  [/\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/<\/?[A-Za-z][^>]{0,500}>/g, ''],
  [/^(?:#{1,6}|>)\s+/gm, ''],
  [/(\*\*|__)(?=\S)(.+?)\1/g, '$2'],
  [/\n{3,}/g, '\n\n'],
];

/** Returns the body of a page as plain text, without shortcodes. */
export function bodyText(body: string): string {
  let text = body.replaceAll('\r\n', '\n');
  for (const [mark, rest] of marks) text = text.replace(mark, rest);
  return text.trim();
}
