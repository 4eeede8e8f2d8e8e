/** Returns a name without case and accents, for comparisons. */
export function plainWords(name: string): string {
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
