/**
 * A path that a browser, a proxy and we interpret alike. With an empty segment, a backslash or a control character some
 * of them read another host from it, anywhere in the path, because the language prefix is cut off in front.
 */
export function isSitePath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop tabs and line breaks, "/<tab>/host" is a host
  return path.startsWith('/') && !/\/\/|[\\\u0000-\u001f\u007f-\u009f]/.test(path);
}

/** Encodes a decoded path for a URL: ASCII, and nothing that was encoded becomes a delimiter. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}
