import { join } from 'node:path';
import { shapeOf, sourceFiles } from './setup/shape.ts';

/*
 * Prints the syntax nodes and the characters of a code line of each room, and every place that
 * breaks a rule of style: `npm run shape`, or `npm run shape -- pages` for one room.
 */
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const src = join(process.cwd(), 'src');
const room = process.argv[2] ?? '';
const shapes = sourceFiles(src)
  .filter((file) => file.startsWith(room))
  .map((file) => shapeOf(src, file));
const roomNames = new Set(shapes.map(({ file }) => file.split('/')[0] ?? file));

for (const { file, faults } of shapes) {
  for (const fault of faults) print(`src/${file}:${fault}`);
}
for (const name of [...roomNames, 'sum']) {
  const members = shapes.filter(({ file }) => name === 'sum' || file.split('/')[0] === name);
  const sum = (key: 'nodes' | 'characters' | 'lines'): number =>
    members.reduce((total, member) => total + member[key], 0);
  const width = (sum('characters') / sum('lines')).toFixed(1);
  const faults = members.flatMap((member) => member.faults).length;
  print(
    `${name}: ${sum('nodes')} nodes, ${width} characters a line, ${sum('lines')} lines, ${faults} faults`,
  );
}
