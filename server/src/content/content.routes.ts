import { refuseOtherOperators } from '../http/own-operator.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Content } from './content.service.ts';

export function contentHandlers(content: Content, opco: string): Handlers {
  const ours = refuseOtherOperators(opco);
  return {
    async activePackage({ query }) {
      ours(query.opco);
      const page = query.pageUrl.startsWith('/') ? query.pageUrl : `/${query.pageUrl}`;
      const body = await content.activePackage(page);
      if (body === null) throw new PortalError('contentUnknown', { field: 'pageUrl' });
      return { packageHtml: JSON.stringify(body) };
    },
  };
}
