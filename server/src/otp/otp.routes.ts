import type { ParsedBodyOf, ResultOf } from '@portal/contract/contract.ts';
import { isWireNumber, type WireNumber } from '@portal/domain/msisdn.ts';
import type { PaymentMethod } from '@portal/domain/operator.ts';
import { askerOf } from '../challenges/challenges.service.ts';
import type { WalletUsers } from '../connectors/ports.ts';
import type { NamedPayment } from '../db/schema/verification.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Pins } from '../pins/pins.service.ts';
import { type Otp, type Proved, purposes } from './otp.service.ts';

interface OtpRoutes {
  otp: Otp;
  pins: Pins;
  methods: readonly PaymentMethod[];
  /** By gateway. Used only to look up wallets and issue their tokens. */
  walletUsers: ReadonlyMap<string, WalletUsers>;
  visits: Visits;
  /** Computes the price of what a code will pay, so that the SMS shows the amount the server would charge. */
  namePayment: (
    purchase: Purchase,
    how: { paymentMode: string; paymentMobile: WireNumber; language: string; visit: string | null },
  ) => Promise<NamedPayment>;
  /** The SMS text of an order for which a fresh code was required. */
  nameAsked: (transactionId: string, asked: { msisdn: WireNumber; visit: string | null }) => Promise<NamedPayment>;
}

type Purchase = NonNullable<ParsedBodyOf<'sendCode'>['data']['payment']>;
type Verification = { body: ParsedBodyOf<'verifyCode'>; headers: Record<string, unknown>; ip: string };

export function otpHandlers(routes: OtpRoutes): Handlers {
  const { otp, pins, methods, walletUsers, visits, namePayment, nameAsked } = routes;
  const asker = askerOf(visits);
  const plainNumber = async (given: string) => (isWireNumber(given) ? given : pins.openNumber(given));

  function walletOf(mode: string | undefined): WalletUsers | null {
    const method = methods.find((one) => one.mode === mode && (one.type === 'AM' || one.type === 'SMARTCASH_SECURE'));
    return (method && walletUsers.get(method.gateway)) ?? null;
  }

  /** The proof of a number; for a wallet also its token, once the wallet confirms that it exists. */
  async function proofOf(proved: Proved) {
    const wallet = walletOf(proved.purpose);
    if (!wallet) return { uniqueCode: await otp.issueProof(proved) };
    const known = isWireNumber(proved.subject) ? await wallet.hasWallet(proved.subject) : 'no';
    if (known === 'no') throw new PortalError('walletUnknown');
    if (known === 'unclear') throw new PortalError('walletSilent');
    const uniqueCode = await otp.issueProof(proved);
    return { uniqueCode, ...otp.issueToken(proved, uniqueCode) };
  }

  async function verifyCode({ body, headers, ip }: Verification): Promise<ResultOf<'verifyCode'>> {
    const { refId, otp: code, username, paymentMode } = body.data;
    const asked = {
      id: refId,
      code,
      asker: asker({ headers, ip }),
      ...(paymentMode ? { purpose: paymentMode } : {}),
    };
    const proved = await otp.verify(asked);
    if (username && (await plainNumber(username)) !== proved.subject) throw new PortalError('codeOfAnotherNumber');
    return proofOf(proved);
  }

  return {
    sendInvoiceCode: async ({ body, headers, ip, language }) => ({
      otpId: await otp.send({
        msisdn: body.data.text,
        purpose: purposes.invoice,
        asker: asker({ headers, ip }),
        language,
      }),
    }),
    resendInvoiceCode: async ({ body, headers, ip, language }) => ({
      otpId: await otp.resend({ id: body.data.otpId, asker: asker({ headers, ip }), language }),
    }),
    async verifyInvoiceCode({ body, headers, ip }) {
      const { otpId, otp: code } = body.data;
      const asked = { id: otpId, code, purpose: purposes.invoice, asker: asker({ headers, ip }) };
      return { uniqueCode: await otp.issueProof(await otp.verify(asked)) };
    },
    /** Without a way to pay the code only proves the number; with one it authorises the payment it was sent for. */
    async sendCode({ body, headers, ip, language }) {
      const { paymentMode, payment, transactionId } = body.data;
      const msisdn = await plainNumber(body.data.msisdn);
      const asked = asker({ headers, ip });
      if (transactionId) {
        const named = await nameAsked(transactionId, { msisdn, visit: asked.visit });
        return {
          refId: await otp.send({ msisdn, purpose: purposes.freshCode, payment: named, asker: asked, language }),
        };
      }
      if (!paymentMode) return { refId: await otp.send({ msisdn, purpose: purposes.number, asker: asked, language }) };
      if (!payment) throw new PortalError('fieldInvalid', { field: 'data.payment' }, { field: 'data.payment' });
      const named = await namePayment(payment, { paymentMode, paymentMobile: msisdn, language, visit: asked.visit });
      return { refId: await otp.send({ msisdn, purpose: paymentMode, payment: named, asker: asked, language }) };
    },
    resendCode: async ({ body, headers, ip, language }) => ({
      refId: await otp.resend({ id: body.data.refId, asker: asker({ headers, ip }), language }),
    }),
    verifyCode,
    async verifyUser(request) {
      const { uniqueCode, tokenType, accessToken } = await verifyCode(request);
      if (!tokenType || !accessToken) throw new PortalError('methodWithoutWallet');
      return { uniqueCode, tokenType, accessToken };
    },
  };
}
