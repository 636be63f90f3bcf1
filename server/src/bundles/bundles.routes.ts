import type { Handlers } from '../http/register-calls.ts';
import type { Bundles } from './bundles.service.ts';

export function bundleHandlers(bundles: Bundles): Handlers {
  return {
    bundles: async ({ body, language }) => {
      const { msisdn, lineType, serviceType, popular } = body.data;
      return bundles.list({
        msisdn: msisdn || undefined,
        lineType: lineType || undefined,
        serviceType,
        popular,
        locale: language,
      });
    },
  };
}
