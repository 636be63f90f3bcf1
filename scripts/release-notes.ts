/** A version's section in CHANGELOG.md without its heading; null if missing or empty. */
export function releaseNotes(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => section.split(/\s/, 1)[0] === version);
  return own?.slice(own.indexOf('\n')).trim() || null;
}
