import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The part of DuckDB's package that is used. It is installed with the peers, not with the project.
 */
interface DuckDb {
  readonly DuckDBInstance: { create: () => Promise<{ connect: () => Promise<Connection> }> };
}

interface Connection {
  readonly run: (sql: string) => Promise<unknown>;
  readonly runAndReadAll: (sql: string) => Promise<{ getRows: () => [string, string][] }>;
}

/**
 * Generates the documents with one SQL script. Its last statement selects paths and texts, and Node
 * writes them.
 */
const [data = '', out = '', now = ''] = process.argv.slice(2);
const name: string = '@duckdb/node-api';
const { DuckDBInstance } = (await import(name)) as DuckDb;
const sql = readFileSync(join(process.cwd(), 'test/bench/peers/duckdb.sql'), 'utf8');
const statements = sql
  .replaceAll('{data}', data)
  .replaceAll('{now}', now)
  .split(/;\s*\n/)
  .filter((text) => text.trim() !== '');
const connection = await (await DuckDBInstance.create()).connect();
for (const statement of statements.slice(0, -1)) await connection.run(statement);
const made = new Set<string>();
for (const [path, text] of (await connection.runAndReadAll(statements.at(-1) ?? '')).getRows()) {
  const target = join(out, path);
  if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
  made.add(dirname(target));
  writeFileSync(target, text);
}
