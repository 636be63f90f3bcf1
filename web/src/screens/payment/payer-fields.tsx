import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useFormats, usePage } from '../../lib/page.tsx';
import { type QueryData, session } from '../../lib/session.ts';
import { Field } from '../../ui/field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { emailProblemKey, phoneProblem } from './payer-rules.ts';
import { isSameOrder, isWorksOrder, type OptionType } from './payment-order.ts';

interface TypedField {
  value: string;
  /** The error text, whether it is shown yet or not. */
  problem: string | undefined;
  shownProblem: string | undefined;
  change: (value: string) => void;
  touch: () => void;
  isFixed?: boolean;
}

/** A field posted without script shows its error from the start. */
function useTyped(name: string, first: string, problemOf: (value: string) => string | undefined): TypedField {
  const { form } = usePage();
  const [value, setValue] = useState(form?.values[name] ?? first);
  const [isTouched, setTouched] = useState(form?.errors[name] !== undefined);
  const problem = problemOf(value);
  return {
    value,
    problem,
    shownProblem: isTouched ? problem : undefined,
    change: setValue,
    touch: () => setTouched(true),
  };
}

export function usePhone(type: OptionType, order: QueryData): TypedField {
  const { t, operator } = usePage();
  // The line of a fixed-internet customer is not the payer's number.
  return useTyped('paymentMobile', order.invoiceDetail ? '' : order.msisdn, (value) => {
    const key = phoneProblem(type, value, operator);
    return key ? t(key, { brand: operator.brand.name }) : undefined;
  });
}

/** Stored in the order on every key, so that another method does not ask for it again. */
export function useEmail(type: OptionType, order: QueryData): TypedField {
  const { t } = usePage();
  const typed = useTyped('emailId', order.emailId ?? '', (value) => {
    const key = emailProblemKey(type, value);
    return key ? t(key) : undefined;
  });
  const emailId = typed.value.trim();
  const isNew = useRef(true);
  const keep = useEffectEvent((email: string) => {
    const kept = session.order.read();
    // An order in the URL comes from the server without the email, again after every reload.
    const known = isNew.current && email === '' && isSameOrder(kept, order) ? kept?.emailId : undefined;
    isNew.current = false;
    if (known) typed.change(known);
    else if ((kept?.emailId ?? '') !== email) session.order.change({ emailId: email });
  });
  useEffect(() => keep(emailId), [emailId]);
  return isWorksOrder(order) ? { ...typed, isFixed: true } : typed;
}

export function PhoneField({ phone, label, hint }: { phone: TypedField; label?: string; hint?: string }) {
  const { t } = usePage();
  const formats = useFormats();
  return (
    <NumberField
      label={label ?? t('common.phoneNumber')}
      hint={hint}
      error={phone.shownProblem}
      prefix={formats.prefix}
      name="paymentMobile"
      value={phone.value}
      onChange={phone.change}
      onBlur={phone.touch}
      group={formats.group}
      read={formats.read}
      required
    />
  );
}

export function EmailField({ email, isOptional }: { email: TypedField; isOptional?: boolean }) {
  const { t } = usePage();
  return (
    <Field
      label={t('payment.email')}
      hint={t(isOptional ? 'payment.emailOptional' : 'payment.emailHint')}
      error={email.shownProblem}
      type="email"
      inputMode="email"
      autoComplete="email"
      name="emailId"
      value={email.value}
      onChange={(event) => email.change(event.currentTarget.value)}
      onBlur={email.touch}
      readOnly={email.isFixed}
      required={!isOptional}
    />
  );
}
