import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { loginAddress } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { hasPasskeys, signInByPasskey } from '../lib/passkeys.ts';
import { onProved, provedPage } from '../lib/proved.ts';
import { ProblemBox } from './problem-box.tsx';

/**
 * Shows once more who one is: here by a passkey, else at the sign-in provider, in a window of its own, so that what was
 * typed and opened here stays.
 */
export function ProveButton({ proved }: { proved: () => void }) {
  const { say } = useLanguage();
  const [problem, setProblem] = useState<unknown>(null);
  const heard = useEffectEvent(proved);
  useEffect(() => onProved(() => heard()), []);
  if (!hasPasskeys)
    return (
      <Button
        component="a"
        href={loginAddress({ again: true, to: `/console${provedPage}` })}
        target="_blank"
        rel="opener"
      >
        {say('payment.proveButton')}
      </Button>
    );
  return (
    <>
      {problem !== null && <ProblemBox problem={problem} />}
      <Button onClick={() => void signInByPasskey().then(proved, setProblem)}>{say('payment.proveButton')}</Button>
    </>
  );
}
