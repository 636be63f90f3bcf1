import { Suspense } from 'react';
import { OrderLine } from '../../features/order-summary/order-line.tsx';
import type { Failure } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { deferred } from '../../loading/deferred.ts';
import { CodeDialog } from './code-dialog.tsx';
import type { PaymentOption, PaymentOrder } from './payment-order.ts';
import type { Locked, PinEntry, WalletProof } from './pin-entry.ts';

// They come after a code, so their script is not waited for.
const pins = () => import('../../features/pin-dialog/pin-dialog.tsx');
const PinDialog = deferred(() => pins().then((module) => module.PinDialog));
const LockedDialog = deferred(() => pins().then((module) => module.LockedDialog));

interface WalletDialogsProps {
  order: PaymentOrder;
  option: PaymentOption;
  /** The payer's number, as shown and in wire format. */
  national: string;
  number: string;
  /** Which dialog is open; while a PIN is being checked, its dialog stays. */
  step: 'code' | { entry: PinEntry; isBusy: boolean } | Locked | null;
  words: { title: string; locked: string };
  care: { number: string; pinResetDial: string };
  onProved: (proof: WalletProof) => void;
  onPin: (pin: string) => void;
  onClose: () => void;
  onRefused: (failure: Failure) => void;
}

/** A code, then a PIN, or why none is accepted any more: the same for every wallet that requires a PIN. */
export function WalletDialogs({ step, order, option, national, number, words, care, ...on }: WalletDialogsProps) {
  const { t } = usePage();
  if (step === null) return null;
  if (step === 'code')
    return (
      <CodeDialog
        call="verifyUser"
        national={national}
        number={number}
        paymentMode={option.paymentMode}
        order={order}
        onVerified={({ uniqueCode, tokenType, accessToken }) =>
          on.onProved({ uniqueCode, authorization: `${tokenType} ${accessToken}` })
        }
        onClose={on.onClose}
        onRefused={on.onRefused}
      />
    );
  if ('at' in step)
    return (
      <Suspense>
        <LockedDialog message={step.said ?? words.locked} care={care} onClose={on.onClose} />
      </Suspense>
    );
  const { attemptsLeft, problem, said } = step.entry;
  return (
    <Suspense>
      <PinDialog
        title={words.title}
        attemptsLeft={attemptsLeft}
        problem={problem ? (said ?? t(`payment.pin.${problem}`)) : undefined}
        isBusy={step.isBusy}
        onSubmit={on.onPin}
        onClose={on.onClose}
      >
        <OrderLine order={order} />
      </PinDialog>
    </Suspense>
  );
}

/** For a flow that accepts no PIN now. */
export const stepAt = (flow: Locked | { at: string }): 'code' | Locked | null => {
  if (isLocked(flow)) return flow;
  return flow.at === 'code' ? 'code' : null;
};

const isLocked = (flow: Locked | { at: string }): flow is Locked => flow.at === 'locked';
