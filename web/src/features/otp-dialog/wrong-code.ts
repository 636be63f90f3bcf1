import type { Failure } from '../../lib/api.ts';
import type { FormState } from '../../lib/page.tsx';

/** Beside the field of a posted code that was wrong: how many attempts are left, as the dialog says. */
export const wrongCode = ({ attemptsLeft: count }: Pick<Failure, 'attemptsLeft'>): FormState['errors'][string] =>
  count === undefined ? { key: 'otp.wrongCode' } : { key: 'otp.wrongCodeLeft', params: { count } };
