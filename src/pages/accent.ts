import type { SiteFile } from '../api/site-file.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** The background of each theme, as in the style, and the colour that it mixes into an accent without contrast. */
const themes = {
  light: { paper: [0xf3, 0xee, 0xe2], towards: [0, 0, 0] },
  dark: { paper: [0x26, 0x24, 0x1e], towards: [255, 255, 255] },
} as const;

/** The contrast that text needs (WCAG 2.2, 1.4.3), and a little more for rounding. */
const enough = 4.6;

/** Returns the assets with the accent of the service in the style and the icon. Browsers expect one icon at the root. */
export function* styledAssets(assets: readonly SiteFile[], accent: string | null): Generator<SiteFile> {
  for (const asset of assets) {
    const path = asset.path === 'assets/favicon.ico' ? 'favicon.ico' : asset.path;
    yield { path, content: accent === null ? asset.content : styled(asset, accent) };
  }
}

function styled({ path, content }: SiteFile, accent: string): SiteFile['content'] {
  if (typeof content !== 'string') return content;
  if (path.endsWith('icon.svg')) return content.replace('#8f2d0f', accentFor('light', accent));
  return path.endsWith('style.css') ? content + accentStyle(accent) : content;
}

function accentStyle(accent: string): string {
  return `:root{--accent:light-dark(${accentFor('light', accent)},${accentFor('dark', accent)})}\n`;
}

/** Returns the accent of a theme: the given colour, darkened or lightened until text on the page is readable. */
export function accentFor(theme: keyof typeof themes, accent: string): string {
  const { paper, towards } = themes[theme];
  const given = readColour(accent);
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = given.map((part, n) => Math.round(part + ((towards[n] ?? 0) - part) * share)) as unknown as Rgb;
    if (contrast(mixed, paper) >= enough) return hexOf(mixed);
  }
  return hexOf(towards);
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Reads `#8f2d0f` or `#fa0`. */
export function readColour(hex: string): Rgb {
  const digits =
    hex.length === 4 ? Array.from(hex.slice(1), (digit) => digit + digit) : (hex.slice(1).match(/../g) ?? []);
  return digits.map((pair) => parseInt(pair, 16)) as unknown as Rgb;
}

function hexOf(colour: readonly number[]): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
