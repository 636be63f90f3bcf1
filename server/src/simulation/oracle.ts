import { Broken } from './broken.ts';
import type { Ending, Observation, SeenPayment } from './observation.ts';
import { checkCreditIntent, checkIntent, checkRepeat } from './oracle-calls.ts';
import { type Case, casesOf, type Remembered } from './oracle-case.ts';
import { checkAcknowledged, checkComparison, checkOutcome } from './oracle-end.ts';
import { checkCredits, checkProposals } from './oracle-goodwill.ts';
import { checkChange, checkHistory, checkSame } from './oracle-history.ts';
import {
  checkAttempts,
  checkLedger,
  checkMessages,
  checkOrders,
  checkOutside,
  checkProgress,
  checkShown,
  checkState,
} from './oracle-state.ts';

export class Oracle {
  readonly #memory = new Map<string, Remembered>();
  #actsSeen = 0;
  #requestsSeen = 0;
  #restoresSeen = 0;

  /** Throws if the snapshot, or a change since the last one, breaks a promise. */
  observe(seen: Observation): void {
    this.#compareCases(seen);
  }

  end(seen: Ending): void {
    const cases = this.#compareCases(seen);
    for (const one of cases.values()) {
      if (one.payment) checkOutcome(one, one.payment, this.#remembered(one.id), seen);
      checkComparison(one, seen);
    }
    checkAcknowledged(cases, seen);
    const open = seen.isOver ? seen.credits.find(({ state }) => ['due', 'sending', 'unknown'].includes(state)) : null;
    if (open) throw new Broken('a credit comes to an end', `${open.id} of ${open.payment} is ${open.state}`);
  }

  #compareCases(seen: Observation): Map<string, Case> {
    const cases = casesOf(seen);
    if (seen.restores.length > this.#restoresSeen) this.#goBack(cases, seen);
    for (const act of seen.acts.slice(this.#actsSeen))
      if (act.credit) checkCreditIntent(act, act.credit, seen);
      else checkIntent(act, cases.get(act.reference), seen);
    this.#actsSeen = seen.acts.length;
    for (let index = this.#requestsSeen; index < seen.received.length; index += 1) checkRepeat(index, seen);
    this.#requestsSeen = seen.received.length;
    for (const one of cases.values()) {
      const { payment } = one;
      const known = this.#memory.get(one.id);
      if (!payment) {
        if (!known) throw new Broken('nothing without an order', `${one.id} is in no database and never was`);
        // For a payment that a restore lost, only the systems outside can be checked.
        if (!seen.restores.some((restore) => restore.at >= known.firstSeenAt))
          throw new Broken('nothing stored is lost', `${one.id} is gone`);
        checkOutside(one, known.first);
        continue;
      }
      const remembered = known ?? this.#remember(payment, seen);
      if (one.money.some((money) => money.state === 'refused')) remembered.refusedAt ??= seen.now;
      checkSame(one, payment, remembered);
      checkHistory(one, payment);
      for (const change of one.history)
        if (change.version > remembered.version) checkChange(one, payment, change, remembered, seen);
      checkOutside(one, payment);
      checkState(one, payment, seen);
      checkLedger(one, payment);
      checkMessages(one, payment, remembered, seen);
      checkProgress(one, payment, remembered, seen);
      remembered.version = payment.version;
      remembered.messages = one.messages;
    }
    checkOrders(cases, this.#memory, seen);
    checkProposals(cases, seen);
    checkCredits(cases, seen);
    checkAttempts(cases, seen);
    for (const shown of seen.shown) checkShown(shown, cases.get(shown.payment)?.payment);
    return cases;
  }

  #remember(payment: SeenPayment, seen: Observation): Remembered {
    const fresh: Remembered = {
      ...{ first: payment, version: -1, firstSeenAt: seen.now },
      ...{ messagesBefore: [], messages: [], refusedAt: null },
    };
    this.#memory.set(payment.id, fresh);
    return fresh;
  }

  #remembered(id: string): Remembered {
    const remembered = this.#memory.get(id);
    if (!remembered) throw new Error(`Never met ${id}.`);
    return remembered;
  }

  /** Continues from the restored database. Effects outside and messages already sent are not undone. */
  #goBack(cases: Map<string, Case>, seen: Observation): void {
    const { at } = seen.restores.at(-1) ?? { at: seen.now };
    this.#restoresSeen = seen.restores.length;
    for (const [id, remembered] of this.#memory) {
      const one = cases.get(id);
      const kept = one?.messages ?? [];
      const lost = remembered.messages.filter((old) => !kept.some((message) => message.kind === old.kind));
      // A customer who repeats an order that the restore lost gets the messages again.
      if (one?.payment) remembered.messagesBefore.push(...lost);
      else remembered.messagesBefore = [];
      remembered.messages = kept;
      // Changes since the restore are checked; restored ones were checked when they were made.
      const restored = (one?.history ?? []).filter((change) => change.at < at);
      remembered.version = Math.max(-1, ...restored.map((change) => change.version));
    }
  }
}
