import { positionsIn, type FoundProblem, type TextFinding } from '../schema/finding.ts';
import type { Spot } from './rows.ts';

type Place = (problem: FoundProblem, spot: Spot | null, first?: Spot | null) => TextFinding;

/** Returns a function that places problems in the files of a source, by line and column. */
export function placeIn(files: Iterable<{ readonly file: string; readonly text: string }>): Place {
  const texts = new Map<string, string>();
  for (const { file, text } of files) texts.set(file, text);
  const positions = new Map<string, ReturnType<typeof positionsIn>>();
  const positionOf = ({ file, offset }: Spot) => {
    const find = positions.get(file) ?? positionsIn(texts.get(file) ?? '');
    positions.set(file, find);
    return find(offset);
  };
  return (problem, spot, first = null) => {
    if (spot === null) return { problem, offset: 0 };
    const at = { file: spot.file, ...positionOf(spot) };
    const firstLine = first === null ? {} : { firstLine: positionOf(first).line };
    return { problem: { ...problem, ...firstLine }, offset: spot.offset, at };
  };
}
