/**
 * A path that means the same to a browser, a proxy and us. An empty segment, a backslash or a control character makes
 * some of them read another host out of it, wherever it stands: a language prefix is cut off in front.
 */
export function isSitePath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop tabs and line breaks, "/<tab>/host" is a host
  return path.startsWith('/') && !/\/\/|[\\\u0000-\u001f\u007f-\u009f]/.test(path);
}

/** A decoded path as an address spells it: ASCII, and nothing that was encoded becomes a delimiter. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}
