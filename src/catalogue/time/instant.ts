import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

/** Reads an RFC 3339 instant with an offset. Returns null if it is none, or if its year in UTC has not four digits. */
export function readInstant(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const instant = parseISO(text.toUpperCase());
  return isValid(instant) && /^\d/.test(instant.toISOString()) ? instant.getTime() : null;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
