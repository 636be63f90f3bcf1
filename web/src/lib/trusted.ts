/** Where a browser knows Trusted Types, text becomes markup or the address of a script only through this policy. */
interface Policy {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}

interface Factory {
  createPolicy(name: string, rules: { [name in keyof Policy]?: (text: string) => string | null }): Policy;
}

const rules: Policy = {
  // The server has cleaned it, when it was stored and when it was sent; who calls this says so.
  createHTML: (text) => text,
  createScriptURL(address) {
    if (new URL(address, location.href).origin !== location.origin) throw new TypeError('a script of another site');
    return address;
  },
};

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;

/** Text, or the few tags that the library of the map writes, with links that name a site: nothing in it can run. */
export const isHarmless = (html: string): boolean =>
  /^(?:[^<]|<\/?(?:a|span|svg)(?: (?:(?:aria-hidden|rel|target|title)="[^"]*"|href="https:[^"]*"))* ?\/?>)*$/.test(
    html,
  );

/** Libraries do not know our policy; what they write is looked at one by one. Before any of them is loaded. */
export function letLibrariesWrite(): void {
  factory?.createPolicy('default', { createHTML: (html) => (isHarmless(html) ? html : null) });
}

let policy: Policy | undefined;
/** None on the server, and in browsers that take any text. */
function ours(): Policy | undefined {
  policy ??= factory?.createPolicy('portal', rules);
  return policy;
}

/** What a policy made is another object each time, and React writes markup anew that is not the very same. */
const made = new Map<string, string>();

export function cleanedHtml(html: string): { __html: string } {
  const known = made.get(html) ?? ours()?.createHTML(html);
  if (known !== undefined) made.set(html, known);
  return { __html: known ?? html };
}

export const ownScript = (address: string): string => (ours() ?? rules).createScriptURL(address);
