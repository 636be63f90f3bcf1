/** The tag of a page in analytics: country code and last path segment, dashes as underscores. The path has no language prefix. */
export function pageName(path: string, countryCode: string): string {
  const segments = (path.split(/[?#]/)[0] ?? '')
    .split('/')
    .filter((segment) => segment !== '' && !isIdentifier(segment));
  const last = segments.at(-1) ?? 'homepage';
  return `${countryCode}_${last.replaceAll('-', '_')}`.toLowerCase();
}

/** A transaction id or a phone number must not reach analytics; the segment before it names the page. */
function isIdentifier(segment: string): boolean {
  return /\d{6}/.test(segment) || /^(?=.*\d)[A-Za-z0-9]{16,}$/.test(segment);
}
