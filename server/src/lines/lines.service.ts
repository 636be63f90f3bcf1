import type { LineType } from '@portal/domain/line-types.ts';
import { fromWire, isMobile, type Numbering, type WireNumber } from '@portal/domain/msisdn.ts';
import type { BalanceEntry, Charging } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';

export interface Line {
  lineType: LineType;
  broadband: boolean;
  /** The number that codes are sent to if the line is a router; null for the line itself. */
  codeRecipient: WireNumber | null;
  /** When it was activated; null if the charging system does not tell. */
  since: Date | null;
}

export interface Lines {
  /** Null if the number is not one of our lines; throws if the charging system gives no clear response. */
  find(msisdn: WireNumber): Promise<Line | null>;
  /** Not cached. The caller must have verified the line's owner. */
  balances(msisdn: WireNumber): Promise<BalanceEntry[]>;
}

const maxAgeMs = 60_000;
const maxLines = 20_000;

/** Caches lines for a minute: they rarely change, and one purchase looks the same line up several times. */
export function createLines(charging: Charging, numbering: Numbering, now: () => Date): Lines {
  const cache = new Map<string, { line: Line | null; until: number }>();
  return {
    async find(msisdn) {
      if (!isMobile(fromWire(msisdn), numbering)) return null;
      const cached = cache.get(msisdn);
      if (cached && cached.until > now().getTime()) return cached.line;
      const found = await charging.findLine(msisdn);
      if (found.kind === 'unclear') throw new PortalError('lineSilent');
      const line =
        found.kind === 'line'
          ? {
              lineType: found.lineType,
              broadband: found.broadband,
              codeRecipient: found.codeRecipient,
              since: found.since,
            }
          : null;
      if (cache.size >= maxLines) cache.clear();
      cache.set(msisdn, { line, until: now().getTime() + maxAgeMs });
      return line;
    },

    async balances(msisdn) {
      const found = await charging.balances(msisdn);
      if (found.kind === 'unclear') throw new PortalError('balanceSilent');
      return found.entries;
    },
  };
}
