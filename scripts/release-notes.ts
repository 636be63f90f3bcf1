/** The section of a version in CHANGELOG.md, without its heading; null where there is none, or nothing in it. */
export function releaseNotes(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => section.split(/\s/, 1)[0] === version);
  return own?.slice(own.indexOf('\n')).trim() || null;
}
