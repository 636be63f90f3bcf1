import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl } from '../../config/value-formats.ts';

export const chargingSettings = providerSettings({
  isNecessary: true,
  variables: {
    CHARGING_URL: httpUrl.optional().describe('charging system (TMF654, TMF639)'),
    CHARGING_KEY: z.string().optional().describe('its bearer key'),
  },
  needs: ['CHARGING_URL', 'CHARGING_KEY'],
  sandbox: (sandbox) => ({
    CHARGING_URL: `${sandbox}/charging`,
    CHARGING_KEY: 'sandbox-charging-key',
  }),
  read: (given) => ({ url: given.CHARGING_URL, key: given.CHARGING_KEY }),
});
