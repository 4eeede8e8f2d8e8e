/** A script of JSON-LD in a page. */
interface PageScript {
  readonly text: string;
  readonly offset: number;
}

/**
 * Returns the scripts of JSON-LD in a page. Comments and the text of other elements hold none. A
 * document of JSON-LD is one script.
 */
export function scriptsIn(html: string): PageScript[] {
  if (/^\s*[[{]/.test(html)) return [{ text: html, offset: 0 }];
  const scripts: PageScript[] = [];
  const opening = /<!--(?:-?>|[^]*?(?:--!?>|$))|<(script|style|title|textarea)(?=[\s/>])/gi;
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const [, name] = match;
    if (name === undefined) continue;
    const { type, end: offset } = readTag(html, opening.lastIndex);
    const closing = new RegExp(`</${name}(?=[\\s/>])|$`, 'gi');
    closing.lastIndex = offset;
    const end = closing.exec(html)?.index ?? html.length;
    opening.lastIndex = end;
    if (jsonLd.test(type))
      scripts.push({
        text: html.slice(offset, end),
        offset,
      });
  }
  return scripts;
}

const jsonLd = /^\s*application\/ld\+json\s*(?:;|$)/i;

function readTag(html: string, start: number): { type: string; end: number } {
  const attribute = /(?<=[\s"'/])([^\s"'=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))|>|$/g;
  attribute.lastIndex = start;
  let type = '';
  for (let match = attribute.exec(html); match?.[1] !== undefined; match = attribute.exec(html)) {
    const [, name, ...values] = match;
    if (name.toLowerCase() === 'type') type ||= values.join('');
  }
  return {
    type,
    end: attribute.lastIndex,
  };
}
