import type { BodyOf, ResultOf } from '@portal/contract/contract.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import type { Bundle } from '@portal/domain/bundle.ts';
import { leadTags } from '@portal/domain/constants.ts';
import type { Point } from '@portal/domain/geo.ts';
import type { FormSchema, FormValues } from '@portal/domain/lead/form-schema.ts';
import { readFormSchema } from '@portal/domain/lead/schema-check.ts';
import { townNamed } from '@portal/domain/lead/towns.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { fetchConfig } from '../../features/config/fetch-config.ts';
import type { Answer, Api } from '../../lib/api.ts';
import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type DevicesDetail, type QueryData, type WorksVisit, worksName } from '../../lib/session.ts';
import type { Keyed } from '../../lib/use-call.ts';

export type Town = ResultOf<'cities'>['data'][number];

/** The data of the order form. */
export interface Lead {
  language: string;
  plans: readonly Bundle[];
  schema: FormSchema;
  towns: readonly Town[];
  device: DevicesDetail | null;
  /** The one-time connection fee, where the configuration has one. */
  fee: number | null;
}

export async function load(context: LoadContext): Promise<Loaded<Keyed<Lead | null>>> {
  return { loaded: { key: context.language.code, answer: await fetchLead(context.api, context) } };
}

interface Place {
  operator: PublicPack;
  language: PublicPack['languages'][number];
}

/** The form needs all of its parts: the first failure, or null where home broadband is not sold. */
export async function fetchLead(
  api: Api,
  { operator, language }: Place,
  signal?: AbortSignal,
): Promise<Answer<Lead | null>> {
  const asked = signal ? { signal } : {};
  const packageOf = (page: string) =>
    api('activePackage', { query: { opco: operator.opco, pageUrl: `${language.prefix}/${page}` }, ...asked });
  const [plans, towns, form, device, config] = await Promise.all([
    api('bundles', { body: { data: { serviceType: 'HBB' } }, ...asked }),
    api('cities', asked),
    packageOf('lead-form-schema'),
    packageOf('lead-device'),
    fetchConfig(api, operator),
  ]);
  if (!plans.ok) return plans;
  const isSold = plans.result.length > 0 && (form.ok || form.code !== errorCodes.notFound);
  if (!isSold) return { ok: true, result: null };
  if (!towns.ok) return towns;
  if (!form.ok) return form;
  const schema = readFormSchema(JSON.parse(form.result.packageHtml));
  if (!schema) return { ok: true, result: null };
  const lead = {
    language: language.code,
    plans: plans.result,
    schema,
    towns: towns.result.data,
    fee: config?.leadConnectionFee ? Number(config.leadConnectionFee) : null,
    device: device.ok ? (JSON.parse(device.result.packageHtml) as Lead['device']) : null,
  };
  return { ok: true, result: lead };
}

/** The device stored in the session by the previous page, described in the language of this page. */
export function shownDevice(kept: DevicesDetail | null, described: DevicesDetail | null): DevicesDetail | null {
  if (kept && kept.heading_image !== described?.heading_image) return kept;
  if (!described) return kept;
  const { heading_image, deviceName, features } = described;
  return { heading_image, deviceName, features };
}

const wordOf = (values: FormValues, name: string) => {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** The form's values under its own field names. */
export function answersOf(values: FormValues) {
  return {
    fullName: wordOf(values, 'fullName'),
    number: wordOf(values, 'contactNumber'),
    email: wordOf(values, 'email'),
    town: wordOf(values, 'town'),
    address: wordOf(values, 'installationAddress'),
    landmark: wordOf(values, 'landmark'),
    consent: values.consent === true,
  };
}

export const isFeasible = (values: FormValues, towns: readonly Town[]): boolean =>
  townNamed(answersOf(values).town, towns)?.hbbLeadFeasibility ?? false;

export interface LeadParts {
  values: FormValues;
  plan: Bundle;
  point: Point | null;
  towns: readonly Town[];
  lineType: string;
  works: WorksVisit | null;
  operator: PublicPack;
}

/** The whole lead payload; the server determines feasibility and price itself. */
export function leadBody({ values, plan, point, towns, lineType, works, operator }: LeadParts, uniqueCode: string) {
  const { fullName, number, email, town, address, landmark, consent } = answersOf(values);
  return {
    fullName,
    contactNumber: toWire(number),
    email,
    feasibility: isFeasible(values, towns),
    address: {
      type: leadTags.addressType,
      landmark,
      ...(point ? { lat: point.lat, lng: point.lng } : {}),
      city: town,
      street1: address,
      country: operator.country.name,
    },
    plan: { code: plan.productCode, amount: plan.amount, currency: plan.currency, description: plan.description },
    source: works ? leadTags.worksSource : leadTags.source,
    reference: leadTags.reference,
    ...(works ? { worksId: works.id } : {}),
    uniqueCode,
    lineType: lineType as BodyOf<'submitLead'>['lineType'],
    consent,
  } satisfies BodyOf<'submitLead'>;
}

/** The order to pay next. */
export function leadOrder(
  { values, plan, lineType, works }: Omit<LeadParts, 'towns' | 'point' | 'operator'>,
  { leadId, redirectPage }: { leadId: string; redirectPage: string },
): QueryData {
  const { number, email } = answersOf(values);
  const { amount, description, data, dataUnit } = plan;
  const content = { ...(data ? { data } : {}), ...(dataUnit ? { dataUnit } : {}) };
  return {
    msisdn: number,
    emailId: email,
    amount,
    lineType,
    transactionType: leadTags.type,
    productCode: plan.productCode,
    description,
    currency: plan.currency,
    ...content,
    redirectPage,
    leadId,
    ...(works ? { flow: leadTags.paymentMode } : {}),
    bundleInfo: { amount, lineType, description, ...content },
  };
}

/** A sales visit from the URL; an invalid id makes none. */
export function worksVisitOf(query: Readonly<Record<string, string>>, operator: PublicPack): WorksVisit | null {
  const { id = '' } = query;
  const isWorks = query[worksName(operator.brand.name)] === 'true';
  return isWorks && /^[A-Za-z0-9._:=-]{1,64}$/.test(id) ? { id } : null;
}
