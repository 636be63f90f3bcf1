import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Lines } from './lines.service.ts';

export function lineHandlers(lines: Lines): Handlers {
  async function known(msisdn: string) {
    const line = await lines.find(msisdn);
    if (!line) throw new PortalError('lineUnknown', 'Invalid Mobile No', { field: 'msisdn' });
    return line;
  }
  return {
    async lineType({ body }) {
      const line = await known(body.msisdn);
      if (body.checkIfBroadband && !line.broadband)
        throw new PortalError('lineUnknown', 'Invalid Mobile No', { field: 'msisdn' });
      return line.lineType;
    },
    validateBrandNumber: async ({ body }) => ({ lineType: (await known(body.msisdn)).lineType }),
  };
}
