/** Whether a site is named by an address, and not by a folder. */
export function isAddress(site: string): boolean {
  return /^https?:\/\//i.test(site);
}
