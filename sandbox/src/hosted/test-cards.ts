import { createHash } from 'node:crypto';
import { passesLuhn } from '@portal/domain/card-number.ts';
import { html, type SafeHtml } from '../phone/html.ts';
import { asText, type JsonRecord } from '../wire/json-fields.ts';

export type CardBehaviour = 'pays' | 'declines' | 'asksCode';

const behaviours = new Map<string, CardBehaviour>([
  ['4111111111111111', 'pays'],
  ['4000000000000002', 'declines'],
  ['4000000000003220', 'asksCode'],
]);

export const rightCode = '123456';

/** How the typed card behaves, or what is wrong with it. */
export function readCard(form: JsonRecord): { behaviour: CardBehaviour; fingerprint: string } | { problem: string } {
  const number = (asText(form.number) ?? '').replace(/[\s-]/g, '');
  const expiry = /^(\d{2})\s*\/?\s*(?:20)?(\d{2})$/.exec((asText(form.expiry) ?? '').trim());
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return { problem: 'The card number is not right.' };
  const month = Number(expiry?.[1]);
  if (!expiry || month < 1 || month > 12)
    return { problem: 'The expiry date must be a month and a year, such as 12/30.' };
  if (Date.UTC(2000 + Number(expiry[2]), month, 1) <= Date.now()) return { problem: 'The card has expired.' };
  if (!/^\d{3,4}$/.test(asText(form.cvc) ?? '')) return { problem: 'The security code has three or four digits.' };
  // Deterministic: the same card always has the same fingerprint.
  const fingerprint = createHash('sha256').update(number).digest('base64url').slice(0, 20);
  return { behaviour: behaviours.get(number) ?? 'declines', fingerprint };
}

export function cardForm(action: string, amount: string): SafeHtml {
  return html`<form method="post" action="${action}">
    <label class="wide">Card number <input name="number" inputmode="numeric" autocomplete="cc-number" maxlength="23" required></label>
    <label>Expiry (MM/YY) <input name="expiry" inputmode="numeric" autocomplete="cc-exp" maxlength="7" placeholder="12/30" required></label>
    <label>CVC <input name="cvc" inputmode="numeric" autocomplete="cc-csc" maxlength="4" required></label>
    <button>Pay ${amount}</button>
  </form>`;
}

export function codeForm(action: string): SafeHtml {
  return html`<form method="post" action="${action}">
    <label class="wide">Code from your bank <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" required></label>
    <button>Confirm</button>
  </form>
  <p class="hint">The sandbox's bank always sends ${rightCode}.</p>`;
}

export const cardHints = html`<ul>
    <li>4111 1111 1111 1111 pays</li>
    <li>4000 0000 0000 0002 is declined</li>
    <li>4000 0000 0000 3220 asks for the code ${rightCode} first</li>
    <li>any future date, any CVC</li>
  </ul>`;
