import type { LineProfile } from '../state/line-table.ts';
import type { SandboxState } from '../state/sandbox-state.ts';
import { asInteger, asRecord, asText, type JsonRecord } from '../wire/json-fields.ts';
import { lineNumberFromNational } from '../wire/line-number.ts';
import { invalid, TmfError } from '../wire/tmf-error.ts';

export interface BalanceRequest {
  line: LineProfile;
  amount: number;
  units: string;
  partyAccount: { id: string };
  bucket?: { id: string };
  payment?: { id: string };
  description?: string;
  body: JsonRecord;
}

export function readBalanceRequest(state: SandboxState, payload: unknown): BalanceRequest {
  const body = asRecord(payload);
  const quantity = asRecord(body.amount);
  // A release gives back whatever was reserved, so it may come without an amount.
  const releases = body.adjustType === 'release';
  const amount = asInteger(quantity.amount) ?? (releases ? 0 : undefined);
  const units = asText(quantity.units) ?? (releases ? '' : undefined);
  if (amount === undefined || (amount === 0 && !releases))
    throw invalid('amount.amount must be a whole number other than 0.');
  if (units === undefined) throw invalid('amount.units is missing.');
  const partyId = asText(asRecord(body.partyAccount).id);
  if (partyId === undefined) throw invalid('partyAccount.id is missing.');
  return {
    line: findLine(state, partyId),
    amount,
    units,
    partyAccount: { id: partyId },
    bucket: reference(body.bucket),
    payment: reference(body.payment),
    description: asText(body.description),
    body,
  };
}

export function findLine(state: SandboxState, partyId: string): LineProfile {
  const number = lineNumberFromNational(partyId);
  const line = number === undefined ? undefined : state.line(number);
  if (!line) throw new TmfError(404, '60', 'not found', `${partyId} is not a line of this operator.`);
  return line;
}

function reference(value: unknown): { id: string } | undefined {
  const id = asText(asRecord(value).id);
  return id === undefined ? undefined : { id };
}
