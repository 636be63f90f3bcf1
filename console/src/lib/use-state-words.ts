import { useLanguage } from './language.tsx';

const kinds: Record<string, string> = { POSTPAID_BILL: 'bill', HBB_LEADS: 'order' };
const afterTaken = ['PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'SUCCEEDED'];

/** Bills are paid and orders placed; only airtime and bundles are delivered. Without a type it may be any of them. */
export const stateKey = (state: string, type = ''): string => {
  const kind = afterTaken.includes(state) ? kinds[type] : undefined;
  return kind ? `state.${state}.${kind}` : `state.${state}`;
};

export function useStateWords(): (state: string, type?: string) => string {
  const { sayOr } = useLanguage();
  return (state, type) => sayOr(stateKey(state, type));
}
