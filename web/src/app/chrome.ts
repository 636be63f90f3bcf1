import type { PublicPack } from '@portal/domain/operator.ts';
import { moneyPath, paths, shopsPath } from '@portal/domain/paths.ts';
import { isOffered } from '@portal/domain/screens.ts';
import type { Translate } from '../lib/translate.ts';
import type { Chrome, NavigationLink } from './initial-page.ts';

/** Fallback for a missing header or footer of the content service. */
function builtInChrome(t: Translate, { brand, care }: PublicPack): Chrome {
  const { slug, name } = brand;
  return {
    header: {
      links: [
        { label: t('common.recharge'), href: paths.prepaidRecharge },
        { label: t('common.bundles'), href: paths.dataBundle },
        { label: t('common.bill'), href: paths.postpaidBillPay },
        { label: t('common.stores'), href: paths.storeLocatorAlias },
      ],
    },
    footer: {
      groups: [
        {
          title: t('common.services'),
          links: [
            { label: t('common.recharge'), href: paths.prepaidRecharge },
            { label: t('common.bundles'), href: paths.dataBundle },
            { label: t('common.tariffs'), href: paths.tariffTable },
            { label: t('common.bill'), href: paths.postpaidBillPay },
            { label: t('common.broadband'), href: paths.broadbandRecharge },
            { label: t('common.fixedInternet'), href: paths.fixedInternet },
            { label: t('common.homeBroadband'), href: paths.homeBroadband },
            { label: t('common.leadStatus'), href: paths.homeBroadbandStatus },
            { label: t('common.wallet', { brand: name }), href: moneyPath(slug) },
          ],
        },
        {
          title: t('common.help'),
          links: [
            { label: t('common.helpCentre'), href: paths.help },
            { label: t('common.contact'), href: paths.contactUs },
            { label: t('common.feedback'), href: paths.feedback },
            { label: t('common.paymentStatus'), href: paths.paymentStatus },
          ],
        },
        {
          title: t('common.near'),
          links: [
            { label: t('common.stores'), href: paths.storeLocatorAlias },
            { label: t('common.shopList', { brand: name }), href: shopsPath(slug) },
            { label: t('common.dealers'), href: paths.dealers },
            { label: t('common.coverage'), href: paths.openNetworks },
          ],
        },
        {
          title: name,
          links: [
            { label: t('common.about'), href: paths.about },
            { label: t('common.privacy'), href: paths.privacy },
          ],
        },
      ],
      note: t('common.callUs', { care: care.number }),
    },
  };
}

/** Header and footer of the content service; null for a missing one. */
export type FoundChrome = { [part in keyof Chrome]: Chrome[part] | null };

/** Header and footer without links to pages that this operator does not offer. */
export function chromeOf(t: Translate, operator: PublicPack, found: FoundChrome): Chrome {
  const builtIn = builtInChrome(t, operator);
  const header = found.header ?? builtIn.header;
  const footer = found.footer ?? builtIn.footer;
  const offered = (links: NavigationLink[]) => links.filter(({ href }) => isOffered(href, operator));
  return {
    header: { ...header, links: offered(header.links) },
    footer: { ...footer, groups: footer.groups.map((group) => ({ ...group, links: offered(group.links) })) },
  };
}
