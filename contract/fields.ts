import { maskCards } from '@portal/domain/card-number.ts';
import { oneTimeCode as codeRule } from '@portal/domain/constants.ts';
import { emailMaxLength, emailPattern } from '@portal/domain/email.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import { oneLine, paragraphs } from '@portal/domain/printable.ts';
import { z } from 'zod';

const storable = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\0\p{Cs}]*$/u);

/**
 * Text of limited length, without characters that the database cannot store (NUL, lone surrogates). Normalised to one
 * printable line, whatever its use.
 */
export const text = (max: number) => storable(max).overwrite(oneLine);

/** Whatever a customer writes to the operator. */
export const message = (max: number) => text(max).overwrite(maskCards);

/** The same from the operator's own people, with its line breaks. */
export const textOfStaff = (max: number) => storable(max).overwrite(paragraphs).overwrite(maskCards);

/** Branded: callers convert a number to it, and handlers receive it. */
export const wireNumber = z
  .string()
  .regex(/^0\d{6,14}$/)
  .describe('A mobile number with its leading 0.') as unknown as z.ZodType<WireNumber, WireNumber>;

export const ciphertext = z
  .string()
  .min(172)
  .max(1400)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)
  .describe('RSA-OAEP, base64.');

export const numberOrCiphertext = z.union([wireNumber, ciphertext]);

export const email = z.string().max(emailMaxLength).regex(emailPattern);

/** Clients send '' for fields that a flow does not have. */
export const blankOr = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]).optional();

export const identifier = (max = 128) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9._:=-]+$/);

export const oneTimeCode = z.string().regex(new RegExp(`^\\d{${codeRule.digits}}$`));

export const largestAmount = 1_000_000_000_000;

/** Whole minor units; forms send them as digits. */
export const amountIn = z.union([z.int().min(0).max(largestAmount), z.string().regex(/^\d{1,12}$/)]).transform(Number);

export const amountOut = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** As the billing system states it, for display; payments use an `amountDue` in whole minor units. */
export const statedAmount = z.number();

export const currencyCode = z.string().regex(/^[A-Z]{3}$/);

export const instant = z.iso.datetime();

export const rateText = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .describe('What one unit of the first currency costs in the second.');

/** In a URL or a form a boolean is text. */
export const truth = z.union([z.boolean(), z.enum(['true', 'false'])]).transform((value) => String(value) === 'true');

/** Loose, because every request has headers that no call describes. */
export const languageHeaders = z.looseObject({ lang: text(16).optional().describe('Language code, lower case.') });
