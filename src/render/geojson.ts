import type { EventRecord } from '../api/documents.ts';
import { compareTexts } from '../catalogue/soonest.ts';
import type { Content } from '../api/site-file.ts';

/** An event with coordinates, as a map shows it. Plain data. */
export interface MapPoint {
  readonly id: string;
  readonly startsAt: string;
  /** The feature (RFC 7946, 3.2) as JSON. */
  readonly json: string;
}

/** Returns the point of an event on a map. Null if it has no coordinates. */
export function mapPoint(record: EventRecord): MapPoint | null {
  const { id, location, starts_at: startsAt } = record;
  if (location === null || location.latitude === null || location.longitude === null) return null;
  const feature = {
    type: 'Feature',
    id,
    geometry: {
      type: 'Point',
      coordinates: [location.longitude, location.latitude],
    },
    properties: {
      title: record.title,
      subject: record.subject.name,
      genre: record.genre,
      category: record.category,
      starts_at: startsAt,
      ends_at: record.ends_at,
      date: record.date,
      time_known: record.time_known,
      zone: record.zone,
      location: location.name,
      country: location.country,
      url: record.url,
      status: record.status,
    },
  };
  return {
    id,
    startsAt,
    json: JSON.stringify(feature),
  };
}

/** Renders all points in the order of lists (RFC 7946, 3.3). */
export function renderGeojson(points: readonly MapPoint[]): Content {
  const sorted = points.toSorted(
    (a, b) => compareTexts(a.startsAt, b.startsAt) || compareTexts(a.id, b.id),
  );
  const features = sorted.map(({ json }, index) => (index === 0 ? json : `,${json}`));
  return ['{"type":"FeatureCollection","features":[', ...features, ']}\n'];
}
