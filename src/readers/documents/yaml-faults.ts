import type { YAMLException } from 'js-yaml';

/** Why a text is refused that is YAML, and what to do. */
export const yamlReasons = {
  aliases: 'found too many aliases (*name); expected at most 1,000; write the values in full',
  key: 'found {{ }} or a list outside quotes; put the whole value in quotes',
} as const;

interface Fault {
  readonly reason: string;
  readonly offset: number;
}

/**
 * Returns what is wrong with a text that the parser refuses, what to do, and where.
 *
 * @param open where the value begins that was being read
 */
export function findYamlFault(error: YAMLException, text: string, open: number): Fault {
  const { reason, mark } = error;
  const offset = Math.min(mark.position, text.length);
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = ''] = /^.*/.exec(text.slice(lineStart)) ?? [];
  const at = (part: string) => lineStart + Math.max(0, line.indexOf(part));
  const merge = /^(?:<{7} |={7}$|>{7} )/m.exec(text);
  if (merge !== null)
    return {
      reason: 'found the marks of a merge; choose one version',
      offset: merge.index,
    };
  if (/quoted scalar/.test(reason))
    return {
      reason: 'found a quote that is not closed; close it',
      offset: open,
    };
  if (/\btab/.test(reason) || /^\s*\t/.test(line))
    return {
      reason: 'found a tab where YAML wants spaces; use spaces',
      offset: at('\t'),
    };
  if (/maxDepth/.test(reason))
    return {
      reason: 'found values nested too deep; expected at most 100 levels',
      offset,
    };
  const tag = /^unknown tag !<(.*)>$/.exec(reason)?.[1];
  if (tag !== undefined) {
    const name = tag.replace(/^tag:yaml\.org,2002:/, '!!');
    return {
      reason: `found the tag ${name}; expected plain values; remove the tag`,
      offset: open,
    };
  }
  if (/[:-] *\{[{%]/.test(line))
    return {
      reason: 'found {{ }} or {% %} outside quotes; put the value in quotes',
      offset: at('{'),
    };
  const colon = /^[^"'#]*?: +[^"'#[{|>&*!].*?(: )/.exec(line);
  if (/mapping/.test(reason) && colon !== null) {
    const place = lineStart + colon[0].length - ': '.length;
    return {
      reason: 'found ": " inside a text; put the text in quotes',
      offset: place,
    };
  }
  const first = text.charAt(offset);
  if (/^[@`%]/.test(first))
    return {
      reason: `found a text that begins with ${first}; put it in quotes`,
      offset,
    };
  return {
    reason: `found text that is not YAML (${reason})`,
    offset,
  };
}
