import type { ConsoleResult } from '@portal/contract/console/contract.ts';

export type ListedPayment = ConsoleResult<'find'>['payments'][number];
export type Story = ConsoleResult<'payment'>;
