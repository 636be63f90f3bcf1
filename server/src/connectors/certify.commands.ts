import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseMajor } from '@portal/domain/money.ts';
import { isCompleteNational, readNational, toWire } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { certify, type Finding } from './certify.ts';
import type { PaymentGateway, StatementSource } from './ports.ts';

export const certifyUsage = [
  'npm run certify -- <way to pay> <number> <amount>          takes it from your own account, gives it back, says what holds',
  '     [--repeat]  sends the same charge twice   [--email <address>]   PIN by CERTIFY_PIN, where one is asked for',
].join('\n');

interface Providers {
  gateways: ReadonlyMap<string, PaymentGateway>;
  statements: ReadonlyMap<string, StatementSource>;
}

const pauseMs = 5_000;
/** Polls for a quarter of an hour: a person has to approve, and a refund may be slow. */
const polls = 180;

/** Returns the exit code: 0 every check holds, 1 one does not, 2 usage error. */
export async function runCertifyCommand(
  words: string[],
  { gateways, statements }: Providers,
  {
    pack,
    publicUrl,
    references,
    pin,
    print,
  }: {
    pack: OperatorPack;
    publicUrl: string;
    /** Two unused references. */
    references: readonly { reference: string; shortReference: string }[];
    pin: string | undefined;
    print: (line: string) => void;
  },
): Promise<number> {
  const asked = readWords(words, pack);
  const gateway = gateways.get(asked?.name ?? '');
  const [reference, unused] = references;
  if (!asked || !gateway || !reference || !unused) {
    print(certifyUsage);
    print(`Ways to pay that are configured: ${[...gateways.keys()].join(', ')}.`);
    return 2;
  }
  print(`${asked.name}: ${asked.amount} of ${pack.currency.code} in minor units, reference ${reference.reference}.`);
  const findings = await certify({
    gateway,
    statements: statements.get(asked.name),
    charge: {
      ...reference,
      ...{ amount: asked.amount, currency: pack.currency.code, payerMsisdn: toWire(asked.number), email: asked.email },
      ...{ language: pack.languages[0]?.locale ?? 'en-GB', returnUrl: publicUrl },
      ...(pin === undefined ? {} : { pin }),
    },
    unused,
    mayRepeat: asked.mayRepeat,
    ask: print,
    pause: () => setTimeout(pauseMs),
    polls,
  });
  for (const finding of findings) print(worded(finding));
  const isCertified = findings.every(({ holds }) => holds !== false) && findings.length > 2;
  print(isCertified ? 'Certified: what the portal relies on holds.' : 'NOT certified: do not offer this way to pay.');
  return isCertified ? 0 : 1;
}

function worded({ step, holds, found }: Finding): string {
  const verdict = holds === null ? 'not tried' : holds ? 'holds' : 'DOES NOT HOLD';
  return `${verdict.padEnd(14)} ${step} (${found})`;
}

function readWords(words: string[], pack: OperatorPack) {
  try {
    const { positionals, values } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { repeat: { type: 'boolean', default: false }, email: { type: 'string' } },
    });
    const [name = '', given = '', text = ''] = positionals;
    const number = readNational(given, pack.numbering);
    const amount = parseMajor(text, pack.currency.digits);
    if (!isCompleteNational(number, pack.numbering) || !amount || amount < 0 || positionals.length !== 3) return null;
    return { name, number, amount, mayRepeat: values.repeat, email: values.email ?? null };
  } catch {
    return null;
  }
}
