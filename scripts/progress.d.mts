import type { SpawnOptions } from 'node:child_process';

export class Refusal extends Error {
  readonly output: string;
  constructor(sentence: string, output?: string);
}
export function withProgress<T>(
  label: string,
  work: () => Promise<T>,
  done?: (duration: string, result: T) => string,
): Promise<T>;
export function stopRunning(): void;
export function capture(
  command: string,
  args: string[],
  options?: SpawnOptions,
): Promise<{ code: number; output: string }>;
export function runQuietly(
  label: string,
  sentence: string,
  command: string,
  args: string[],
  options?: SpawnOptions,
): Promise<void>;
export function npmCommand(...args: string[]): [command: string, args: string[]];
export function endWith(error: unknown): never;
