import type { OperatorPack } from '@portal/domain/operator.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Pins } from '../pins/pins.service.ts';

export function resourceHandlers(pack: OperatorPack, parts: { pins: Pins; paystackKey: string | null }): Handlers {
  return {
    async config({ query }) {
      if (query.code !== pack.productCode) throw new PortalError('configurationUnknown');
      return {
        configData: {
          preMinAmnt: pack.limits.prepaid.min,
          preMaxAmnt: pack.limits.prepaid.max,
          postMinAmnt: pack.limits.postpaid.min,
          postMaxAmnt: pack.limits.postpaid.max,
          beta: { amountToHigherValueFeature: pack.features.amountToHigherValue },
          payStackConfig: JSON.stringify({ key: parts.paystackKey ?? '' }),
          postpaidHybridCheck: pack.features.postpaidHybridCheck,
          enableAmPin: pack.features.enableAmPin,
          customerCareNumber: pack.care.number,
          pinResetDial: pack.care.pinResetDial,
          paymentMaxTry: pack.paymentMaxTry,
          ...(pack.leadConnectionFee === undefined ? {} : { leadConnectionFee: String(pack.leadConnectionFee) }),
          encryptionKeyDetails: await parts.pins.publicKey(),
        },
      };
    },
    async productConfig() {
      const { showPostpaidBundles, kpi, ...features } = pack.features;
      return {
        brand: { name: pack.brand.name, slug: pack.brand.slug },
        operator: pack.opco,
        countryCode: pack.numbering.countryCode,
        currency: pack.currency.code,
        currencyDigits: pack.currency.digits,
        nationalLength: pack.numbering.nationalLength,
        languages: pack.languages.map(({ code, locale, prefix }) => ({ code, locale, prefix })),
        features,
        flags: { showPostpaidBundles, kpi },
      };
    },
  };
}
