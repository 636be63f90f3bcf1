import { useLanguage } from './language.tsx';
import { useMe } from './use-me.ts';

/**
 * A way to pay by its code or its name, as customers read it: credit has a name in each language, the others are names
 * of their own. One that is no longer offered stays as it is called.
 */
export function useWayName(): (codeOrName: string) => string {
  const { say } = useLanguage();
  const { ways } = useMe().operator;
  return (given) => {
    const way = ways.find(({ code, name }) => code === given || name === given);
    return way?.isAirtime ? say('wayToPay.airtime') : (way?.name ?? given);
  };
}
