/** Where a browser knows Trusted Types, text becomes markup or the address of a script only through this policy. */
interface Policy {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

const rules: Policy = {
  // The server has cleaned it, when it was stored and when it was sent; who calls this says so.
  createHTML: (text) => text,
  createScriptURL(address) {
    if (new URL(address, location.href).origin !== location.origin) throw new TypeError('a script of another site');
    return address;
  },
};

let policy: Policy | undefined;
/** None on the server, and in browsers that take any text. */
function ours(): Policy | undefined {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
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
