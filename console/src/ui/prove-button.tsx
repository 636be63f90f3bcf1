import { Button } from '@mantine/core';
import { useState } from 'react';
import { loginAddress } from '../lib/api.ts';
import { useLanguage } from '../lib/language.tsx';
import { hasPasskeys, signInByPasskey } from '../lib/passkeys.ts';
import { ProblemBox } from './problem-box.tsx';

/** Shows once more who one is: here by a passkey, else at the sign-in provider, which leads back. */
export function ProveButton({ proved }: { proved: () => void }) {
  const { say } = useLanguage();
  const [problem, setProblem] = useState<unknown>(null);
  if (!hasPasskeys)
    return (
      <Button component="a" href={loginAddress({ again: true })}>
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
