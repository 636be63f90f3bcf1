/** In browsers with Trusted Types, text becomes HTML or a script URL only through this policy. */
interface Policy {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}

interface Factory {
  createPolicy(name: string, rules: { [name in keyof Policy]?: (text: string) => string | null }): Policy;
}

const rules: Policy = {
  // The server sanitised it, when it was stored and when it was sent; the caller vouches for that.
  createHTML: (text) => text,
  createScriptURL(address) {
    if (new URL(address, location.href).origin !== location.origin) throw new TypeError('a script of another site');
    return address;
  },
};

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;

/** Text, or the few tags that the map library writes, with links to web pages: nothing in it can run. */
export const isHarmless = (html: string): boolean =>
  /^(?:[^<]|<\/?(?:a|span|svg)(?: (?:(?:aria-hidden|rel|target|title)="[^"]*"|href="https:[^"]*"))* ?\/?>)*$/.test(
    html,
  );

/**
 * Libraries do not know our policy, so their output is checked piece by piece. Must run before any of them is loaded.
 */
export function letLibrariesWrite(): void {
  factory?.createPolicy('default', { createHTML: (html) => (isHarmless(html) ? html : null) });
}

let policy: Policy | undefined;
/** Undefined on the server and in browsers without Trusted Types. */
function ours(): Policy | undefined {
  policy ??= factory?.createPolicy('portal', rules);
  return policy;
}

/** A policy returns a new object each time, and React rewrites HTML that is not identical. */
const made = new Map<string, string>();

export function cleanedHtml(html: string): { __html: string } {
  const known = made.get(html) ?? ours()?.createHTML(html);
  if (known !== undefined) made.set(html, known);
  return { __html: known ?? html };
}

export const ownScript = (address: string): string => (ours() ?? rules).createScriptURL(address);
