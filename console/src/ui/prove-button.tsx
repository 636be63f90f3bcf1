import { Button } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { loginAddress } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { hasPasskeys, signInByPasskey } from '../lib/passkeys.ts';
import { onProved, provedPage } from '../lib/step-up.ts';
import { useAct } from '../lib/use-act.ts';
import { ProblemBox } from './problem-box.tsx';

/**
 * Proves again who one is (step-up): by a passkey here, or at the sign-in provider in a window of its own, so that
 * typed text and open dialogs stay. Also used to sign in again after the session ended.
 */
export function ProveButton({ proved, signsIn = false }: { proved: () => void; signsIn?: boolean }) {
  const { say } = useLanguage();
  const prove = useAct({ mutationFn: signInByPasskey, onSuccess: proved });
  const heard = useEffectEvent(proved);
  useEffect(() => onProved(() => heard()), []);
  if (!hasPasskeys)
    return (
      <Button
        component="a"
        href={loginAddress({ again: !signsIn, to: `/console${provedPage}` })}
        target="_blank"
        rel="opener"
      >
        {say(signsIn ? 'signIn.button' : 'payment.proveButton')}
      </Button>
    );
  return (
    <>
      {prove.error && <ProblemBox problem={prove.error} />}
      <Button onClick={() => prove.mutate()}>{say(signsIn ? 'signIn.passkey' : 'payment.proveButton')}</Button>
    </>
  );
}
