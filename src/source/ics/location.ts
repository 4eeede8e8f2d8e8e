import type { LocationSource } from '../json/validate.ts';
import { plain } from './source-event.ts';

interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** Reads the coordinates of a GEO. Throws an Error with the reason if they are none. */
export function readCoordinates(line: string): Coordinates {
  const [, latitude = NaN, longitude = NaN] = geo.exec(line)?.map(Number) ?? [];
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  throw new Error('coordinates are degrees north and east, such as 52.52;13.405');
}

const geo = /:\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*;\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*$/i;

/** Returns the location that a LOCATION and a GEO give. Coordinates alone are its name too. */
export function readLocation(written: string, coordinates: Coordinates | null): LocationSource {
  const name = plain(written);
  if (coordinates === null) return name === '' ? null : name;
  return { name: name || `${coordinates.latitude}, ${coordinates.longitude}`, ...coordinates };
}
