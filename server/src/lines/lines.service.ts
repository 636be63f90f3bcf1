import type { LineType } from '@portal/domain/line-types.ts';
import { fromWire, isMobile, type Numbering, type WireNumber } from '@portal/domain/msisdn.ts';
import type { BalanceEntry, Charging } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';

export interface Line {
  lineType: LineType;
  broadband: boolean;
  /** Who gets the codes of a line that has no screen; null for the line itself. */
  codeRecipient: WireNumber | null;
  /** Null where its system does not say. */
  since: Date | null;
}

export interface Lines {
  /** Null when the number is no line here; throws when the charging system could not say. */
  find(msisdn: WireNumber): Promise<Line | null>;
  /** As they are now. Whose line it is must be proved before. */
  balances(msisdn: WireNumber): Promise<BalanceEntry[]>;
}

const keepMs = 60_000;
const keepMost = 20_000;

/** A line seldom changes its kind, and one purchase asks for it several times within a minute. */
export function createLines(charging: Charging, numbering: Numbering, now: () => Date): Lines {
  const known = new Map<string, { line: Line | null; until: number }>();
  return {
    async find(msisdn) {
      if (!isMobile(fromWire(msisdn), numbering)) return null;
      const kept = known.get(msisdn);
      if (kept && kept.until > now().getTime()) return kept.line;
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
      if (known.size >= keepMost) known.clear();
      known.set(msisdn, { line, until: now().getTime() + keepMs });
      return line;
    },

    async balances(msisdn) {
      const found = await charging.balances(msisdn);
      if (found.kind === 'unclear') throw new PortalError('balanceSilent');
      return found.entries;
    },
  };
}
