import type { Charge, PaymentGateway, Started, StatementSource } from './ports.ts';

export interface CertifyingSteps {
  gateway: PaymentGateway;
  /** If the provider lists its payments. */
  statements?: StatementSource | undefined;
  /** The smallest possible amount, from an account of the person who runs this. */
  charge: Charge;
  /** A reference that was never used. */
  unused: Pick<Charge, 'reference' | 'shortReference'>;
  /** Whether the same charge may be sent twice. If the provider wrongly accepts it, the money is taken twice. */
  mayRepeat: boolean;
  /** Tells the person what to do now, such as approving on the phone. */
  ask(what: string): void;
  /** Between two polls. */
  pause(): Promise<void>;
  polls: number;
}

export interface Finding {
  step: string;
  /** `false`: it does not hold. `null`: it was not tried. */
  holds: boolean | null;
  found: string;
}

/**
 * Checks step by step, through the connector, what the portal relies on at a provider's live account. Makes one payment
 * and refunds it.
 */
export async function certify(steps: CertifyingSteps): Promise<Finding[]> {
  const { gateway, charge, unused } = steps;
  const findings: Finding[] = [];
  const note = (step: string, holds: boolean | null, found: unknown) => {
    findings.push({ step, holds, found: typeof found === 'string' ? found : JSON.stringify(found) });
    return holds;
  };
  const startedAs = (providerReference: string | null): Started => ({ ...charge, providerReference });

  const never = await gateway.enquire({ ...startedAs(null), ...unused });
  // Some providers can only be asked by the id that they issued.
  note('a payment that never was is not found', never.kind === 'unclear' ? null : never.kind === 'notFound', never);

  const start = await gateway.start(charge);
  const isStarted = !['refused', 'unclear'].includes(start.kind);
  if (!note('a charge is taken in', isStarted, start.kind)) return findings;
  if (start.kind === 'redirect') steps.ask(`Open ${start.url} and pay.`);
  else if (start.kind === 'popup') steps.ask(`Pay by the popup with the access code ${start.popup.accessCode}.`);
  else if (charge.pin === undefined) steps.ask('Approve the request on the phone.');

  let payment = startedAs(('providerReference' in start && start.providerReference) || null);
  const enquiry = await pollUntil(
    steps,
    () => gateway.enquire(payment),
    ({ kind }) => kind === 'paid' || kind === 'refused',
  );
  if (enquiry.kind !== 'paid') {
    note('an approved charge is paid', false, enquiry);
    return findings;
  }
  note('an approved charge is paid', true, enquiry.kind);
  const states =
    enquiry.amount === null ? null : enquiry.amount === charge.amount && enquiry.currency === charge.currency;
  note('the enquiry states what was taken', states, states === null ? 'it states no amount' : enquiry);
  payment = startedAs(enquiry.providerReference);
  const again = await gateway.enquire(payment);
  const isSame = again.kind === 'paid' && again.providerReference === enquiry.providerReference;
  note('asked again it says the same', isSame, again.kind);

  if (gateway.refusesRepeats && steps.mayRepeat) {
    const repeated = await gateway.start(charge);
    note(
      'the same reference takes nothing a second time',
      repeated.kind === 'refused' || repeated.kind === 'unclear',
      repeated.kind,
    );
    steps.ask('Look at the account: it was charged once.');
  } else
    note(
      'the same reference takes nothing a second time',
      null,
      gateway.refusesRepeats ? 'not allowed to try' : 'not relied on',
    );

  const first = await gateway.refund(payment);
  const refund = await pollUntil(
    steps,
    async () =>
      first.kind === 'refunded' ? first : gateway.findRefund ? gateway.findRefund(payment) : gateway.refund(payment),
    ({ kind }) => kind === 'refunded',
  );
  const isBack = note('the money goes back, and it can be proved', refund.kind === 'refunded', refund);
  if (isBack) {
    const twice = await gateway.refund(payment);
    note('a second refund gives nothing', twice.kind === 'refunded' || twice.kind === 'unclear', twice.kind);
    steps.ask('Look at the account: everything is back, once.');
  }
  await certifyStatement(steps, note);
  return findings;
}

async function certifyStatement(
  { statements, charge }: CertifyingSteps,
  note: (step: string, holds: boolean | null, found: unknown) => void,
): Promise<void> {
  const step = 'its list of the day has the payment as it was';
  if (!statements) return note(step, null, 'it gives no list');
  const hour = 3_600_000;
  const listed = await statements.statement({ from: new Date(Date.now() - hour), to: new Date(Date.now() + hour) });
  const names = [charge.reference, charge.shortReference];
  const entry = listed?.find(({ reference }) => names.includes(reference));
  const { amount, currency } = charge;
  note(
    step,
    entry?.amount === amount && entry.currency === currency && entry.givenBack,
    entry ?? 'it is not in the list',
  );
}

async function pollUntil<T>(steps: CertifyingSteps, poll: () => Promise<T>, isOver: (seen: T) => boolean): Promise<T> {
  let seen = await poll();
  for (let count = 1; count < steps.polls && !isOver(seen); count += 1) {
    await steps.pause();
    seen = await poll();
  }
  return seen;
}
