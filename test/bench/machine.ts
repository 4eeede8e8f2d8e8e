import { cpus } from 'node:os';

/** What figures were taken on, and when. */
export function machine(): string {
  const [first] = cpus();
  const today = new Date().toISOString().slice(0, 10);
  return `${cpus().length} × ${first?.model.trim()}, ${process.platform}, Node ${process.versions.node}, ${today}`;
}
