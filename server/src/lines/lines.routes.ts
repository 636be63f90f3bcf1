import { hybridPostpaidCheck } from '@portal/domain/line-types.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { Bills } from '../bills/bills.service.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Line, Lines } from './lines.service.ts';

export function lineHandlers(lines: Lines, bills: Pick<Bills, 'accountOf'>): Handlers {
  async function known(msisdn: WireNumber) {
    const line = await lines.find(msisdn);
    if (!line) throw new PortalError('lineUnknown', { field: 'msisdn' });
    return line;
  }
  /** A hybrid line has a bill only if it has a postpaid account. */
  async function hasBill(lineType: Line['lineType'], msisdn: WireNumber): Promise<boolean> {
    return lineType === 'HYBRID' ? (await bills.accountOf(msisdn)) !== null : lineType === 'POSTPAID';
  }

  return {
    async lineType({ body }) {
      const line = await known(body.msisdn);
      // The same call without this flag returns the line's type.
      if (body.checkIfBroadband && !line.broadband) throw new PortalError('lineNotBroadband', { field: 'msisdn' });
      if (body.requestType === hybridPostpaidCheck && !(await hasBill(line.lineType, body.msisdn)))
        throw new PortalError('noBillForNumber', { field: 'msisdn' });
      return line.lineType;
    },
    validateBrandNumber: async ({ body }) => ({ lineType: (await known(body.msisdn)).lineType }),
  };
}
