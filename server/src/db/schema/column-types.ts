import type { ColumnType } from 'kysely';

export type Json<T> = ColumnType<T, string, string>;

declare const clear: unique symbol;
declare const hash: unique symbol;
/** Encrypted; `T` is the type once a store has decrypted it (db/personal-data.ts). */
export type Sealed<T> = string & { readonly [clear]: T };
/** The keyed hash of a sealed value in the same row. */
export type Hashed = string & { readonly [hash]: true };

type OpenedValue<V> = V extends Sealed<infer T> ? T : V;
type WrittenValue<V> = V extends Sealed<infer T> ? (T extends Buffer ? Buffer : string) : V;

/** A row with its values decrypted, as code outside the stores sees it. */
export type Opened<Row> = { [K in keyof Row as NonNullable<Row[K]> extends Hashed ? never : K]: OpenedValue<Row[K]> };
/** A row as passed to a store for writing; JSON as text. */
export type Written<Row> = { [K in keyof Row as NonNullable<Row[K]> extends Hashed ? never : K]: WrittenValue<Row[K]> };
