import type { ZoneTable } from './zone-table.ts';

/** What is known of zones without asking Intl: nothing here. The bundle holds the table of the Node that made it. */
export const knownZones: ZoneTable | null = null;
