import type { OperatorPack } from '@portal/domain/operator.ts';
import { readOutline } from '@portal/operators/places.ts';
import type { ConsoleHandlers } from '../console/console.service.ts';

/** What the map of the console is drawn from. */
export function placeConsoleHandlers({ code, map }: Pick<OperatorPack, 'code' | 'map'>) {
  const outline = readOutline(code);
  return {
    async countryOutline() {
      return { bounds: map.bounds, outline };
    },
  } satisfies ConsoleHandlers;
}
