#!/usr/bin/env bash
# Three rows of CLDR's list of Windows zones name a place whose clock is not that of the Windows zone:
# Scoresbysund changed in 2024, Vostok in 2023 and Casey in 2023, and the list did not follow.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact cldr-core@48.2.0
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import zones from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };

const rows = zones.supplemental.windowsZones.mapTimezones.map(({ mapZone }) => mapZone);
const zoneOf = new Map(rows.map(({ _other, _territory, _type }) => [`${_other} ${_territory}`, _type]));
const clockAt = (timeZone) => new Date('2027-01-15T12:00Z').toLocaleTimeString('sv', { timeZone });
for (const [name, territory] of [
  ['Azores Standard Time', 'GL'],
  ['Central Asia Standard Time', 'AQ'],
  ['Central Pacific Standard Time', 'AQ'],
]) {
  const [place, zone] = [zoneOf.get(`${name} ${territory}`), zoneOf.get(`${name} 001`)];
  console.log(`${name}: ${place} ${clockAt(place)}, ${zone} ${clockAt(zone)}`);
}
PROGRAM
cat >expected.txt <<'EXPECTED'
Azores Standard Time: America/Scoresbysund 10:00:00, Atlantic/Azores 11:00:00
Central Asia Standard Time: Antarctica/Vostok 17:00:00, Asia/Bishkek 18:00:00
Central Pacific Standard Time: Antarctica/Casey 20:00:00, Pacific/Guadalcanal 23:00:00
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
