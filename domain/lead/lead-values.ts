import { fromWire, type WireNumber } from '../msisdn.ts';
import type { FormValues } from './form-schema.ts';

export type LeadAnswers = {
  readonly fullName: string;
  readonly contactNumber: WireNumber;
  readonly email: string;
  readonly consent: boolean;
  readonly address: { readonly city: string; readonly street1: string; readonly landmark?: string | undefined };
};

/** A lead as it stood in the form, so that the form's own rules can be asked about it again. */
export function formValuesOf({ fullName, contactNumber, email, consent, address }: LeadAnswers): FormValues {
  return {
    fullName,
    contactNumber: fromWire(contactNumber),
    email,
    town: address.city,
    installationAddress: address.street1,
    landmark: address.landmark ?? '',
    consent,
  };
}

/** Where each field of the form travels in the lead. */
export const leadFieldPaths: Readonly<Record<string, string>> = {
  fullName: 'fullName',
  contactNumber: 'contactNumber',
  email: 'email',
  town: 'address.city',
  installationAddress: 'address.street1',
  landmark: 'address.landmark',
  consent: 'consent',
};

/** Markup has no honest place in a name or an address, whatever pattern the form was given. */
export function holdsMarkup(text: string): boolean {
  return /[<>]/.test(text);
}
