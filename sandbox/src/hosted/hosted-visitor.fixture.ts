/** A visitor of a hosted page without script: reads it, submits its form, follows redirects. */
export class HostedVisitor {
  address: string;
  text = '';
  status = 0;
  /** The URL outside the provider that the visitor was redirected to. */
  leftFor: string | null = null;

  constructor(address: string) {
    this.address = address;
  }

  async open(): Promise<this> {
    return this.#take(await fetch(this.address, { redirect: 'manual' }));
  }

  async fill(fields: Record<string, string>): Promise<this> {
    const action = /<form method="post" action="([^"]+)"/.exec(this.text)?.[1];
    if (action === undefined) throw new Error(`There is no form on the page: ${this.text}`);
    this.address = new URL(unescaped(action), this.address).href;
    const body = new URLSearchParams(fields);
    return this.#take(await fetch(this.address, { method: 'POST', body, redirect: 'manual' }));
  }

  payWithCard(number: string): Promise<this> {
    return this.fill({ number, expiry: '12/39', cvc: '123' });
  }

  /** The URL of the link with this text. */
  link(text: string): string {
    const href = new RegExp(`href="([^"]+)">${text}`).exec(this.text)?.[1];
    if (href === undefined) throw new Error(`There is no link "${text}" on the page.`);
    return new URL(unescaped(href), this.address).href;
  }

  async #take(response: Response): Promise<this> {
    this.status = response.status;
    this.leftFor = response.headers.get('location');
    this.text = await response.text();
    return this;
  }
}

function unescaped(text: string): string {
  return text.replaceAll('&amp;', '&');
}

export const cards = {
  pays: '4111 1111 1111 1111',
  declines: '4000 0000 0000 0002',
  asksCode: '4000 0000 0000 3220',
};
