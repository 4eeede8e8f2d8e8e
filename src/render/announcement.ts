import type { AnnouncementRecord } from '../api/changes.ts';
import type { Announcement } from '../catalogue/model.ts';

/** Serializes an announcement. */
export function announcementJson({
  id,
  title,
  subject,
  genre,
  period,
  window,
  zone,
  location,
  details,
}: Announcement): string {
  const record: AnnouncementRecord = {
    id,
    title,
    subject: { id: subject.id, name: subject.name },
    genre: genre.id,
    category: genre.category,
    period,
    window: { from: window.from, until: window.until },
    zone,
    location,
    url: details.url ?? subject.url,
  };
  return JSON.stringify(record);
}
