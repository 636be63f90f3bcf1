import { PortalError } from './portal-error.ts';

/** A call that names another operator is refused: its content is not ours to serve. */
export function refuseOtherOperators(own: string): (named: string) => void {
  return (named) => {
    if (named.toUpperCase() !== own) throw new PortalError('operatorUnknown', { field: 'opco' });
  };
}
