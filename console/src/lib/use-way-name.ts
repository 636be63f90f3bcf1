import { useLanguage } from './language.tsx';
import { useMe } from './use-me.ts';

/**
 * A payment method's name as customers read it, by code or name: airtime is translated, the others are proper names. A
 * method that is no longer offered keeps its stored name.
 */
export function useWayName(): (codeOrName: string) => string {
  const { say } = useLanguage();
  const { ways } = useMe().operator;
  return (given) => {
    const way = ways.find(({ code, name }) => code === given || name === given);
    return way?.isAirtime ? say('wayToPay.airtime') : (way?.name ?? given);
  };
}
