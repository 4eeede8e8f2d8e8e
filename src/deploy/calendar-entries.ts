/** An event as a published calendar has it. */
export interface CalendarEntry {
  /** That of the event: its UID. */
  readonly id: string;
  readonly isCancelled: boolean;
  /** As it is written. */
  readonly text: string;
  /** The same with its lines unfolded. */
  readonly unfolded: string;
}

/** Reads back the events of a calendar that `calendar-text.ts` wrote, in its order. */
export function calendarEntries(calendar: string): CalendarEntry[] {
  return Array.from(calendar.matchAll(/^BEGIN:VEVENT\r?\n[^]*?^END:VEVENT(?:\r?\n|$)/gm), ([text]) => {
    const unfolded = text.replace(/\r?\n[ \t]/g, '');
    const [, id = ''] = /^UID:([a-z0-9/-]+)/m.exec(unfolded) ?? [];
    return { id, isCancelled: /^STATUS:CANCELLED\r?$/m.test(unfolded), text, unfolded };
  });
}
