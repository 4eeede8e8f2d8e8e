import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

/**
 * An RFC 3339 instant with an offset, the fraction optional, in milliseconds since 1970; null where it is not one, or
 * in UTC of a year that four digits can't write.
 */
export function readInstant(written: string): number | null {
  if (!rfc3339.test(written)) return null;
  const instant = parseISO(written.toUpperCase());
  return isValid(instant) && /^\d/.test(instant.toISOString()) ? instant.getTime() : null;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
