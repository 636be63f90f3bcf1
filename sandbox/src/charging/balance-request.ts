import type { SandboxContext } from '../context.ts';
import type { LineProfile } from '../state/line-table.ts';
import { asRecord, asText, type JsonRecord } from '../wire/json-fields.ts';
import { digitsOf, minorFrom } from '../wire/money.ts';
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

export function readBalanceRequest(context: SandboxContext, payload: unknown): BalanceRequest {
  const body = asRecord(payload);
  const quantity = asRecord(body.amount);
  // A release returns everything reserved, so the amount is optional.
  const releases = body.adjustType === 'release';
  const units = asText(quantity.units) ?? (releases ? '' : undefined);
  const amount = minorFrom(quantity.amount, digitsOf(context.settings, units) ?? 0) ?? (releases ? 0 : undefined);
  if (amount === undefined || (amount === 0 && !releases))
    throw invalid('amount.amount must be an amount of its units other than 0.');
  if (units === undefined) throw invalid('amount.units is missing.');
  const partyId = asText(asRecord(body.partyAccount).id);
  if (partyId === undefined) throw invalid('partyAccount.id is missing.');
  return {
    line: findLine(context, partyId),
    amount,
    units,
    partyAccount: { id: partyId },
    bucket: reference(body.bucket),
    payment: reference(body.payment),
    description: asText(body.description),
    body,
  };
}

export function findLine({ state, numbers }: SandboxContext, partyId: string): LineProfile {
  const number = numbers.lineFromNational(partyId);
  const line = number === undefined ? undefined : state.line(number);
  if (!line) throw new TmfError(404, '60', 'not found', `${partyId} is not a line of this operator.`);
  return line;
}

function reference(value: unknown): { id: string } | undefined {
  const id = asText(asRecord(value).id);
  return id === undefined ? undefined : { id };
}
