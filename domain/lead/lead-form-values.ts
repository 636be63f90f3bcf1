import { fromWire, type WireNumber } from '../msisdn.ts';
import type { FormValues } from './form-schema.ts';

export type LeadAnswers = {
  readonly fullName: string;
  readonly contactNumber: WireNumber;
  readonly email: string;
  readonly consent: boolean;
  readonly address: { readonly city: string; readonly street1: string; readonly landmark?: string | undefined };
};

/** Converts a lead back to form values, so that the form's rules can validate it again. */
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

/** The path of each form field in the lead. */
export const leadFieldPaths: Readonly<Record<string, string>> = {
  fullName: 'fullName',
  contactNumber: 'contactNumber',
  email: 'email',
  town: 'address.city',
  installationAddress: 'address.street1',
  landmark: 'address.landmark',
  consent: 'consent',
};

/** Markup is never legitimate in a name or address, whatever pattern the form has. */
export function holdsMarkup(text: string): boolean {
  return /[<>]/.test(text);
}
