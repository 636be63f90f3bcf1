import { PortalError } from './portal-error.ts';

/** A call that names an operator is answered for ours alone: another one's content is not ours to give. */
export function refuseOtherOperators(own: string): (named: string) => void {
  return (named) => {
    if (named.toUpperCase() !== own) throw new PortalError('operatorUnknown', { field: 'opco' });
  };
}
