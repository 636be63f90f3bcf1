import type { OperatorPack } from '@portal/domain/operator.ts';
import { readOutline } from '@portal/operators/places.ts';
import type { ConsoleHandlers } from '../console/console.service.ts';

/** The data of the console's map. */
export function placeConsoleHandlers({ code, map }: Pick<OperatorPack, 'code' | 'map'>) {
  const outline = readOutline(code);
  return {
    async countryOutline() {
      return { bounds: map.bounds, outline };
    },
  } satisfies ConsoleHandlers;
}
